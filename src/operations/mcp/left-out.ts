/** Operations that no tool offers, and why. A test holds the table against the operations. docs/mcp.md shows it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  export_sync: 'A file of any length does not fit into a conversation; list_transactions_v2 pages the rows.',
  export_transactions:
    'A file of any length does not fit into a conversation; list_transactions_v2 pages the rows.',
  stream_events: 'A call ends with its answer; list_events shows what has happened since.',
  create_api_key: 'Its answer is a secret, which must not be in a conversation.',
  rotate_api_key: 'Its answer is a secret, which must not be in a conversation.',
  create_simplefin_setup_token: 'Its answer is a secret, which must not be in a conversation.',
  rotate_destination_secret: 'Its answer is a secret, which must not be in a conversation.',
  rotate_event_destination_secret: 'Its answer is a secret, which must not be in a conversation.',
};
