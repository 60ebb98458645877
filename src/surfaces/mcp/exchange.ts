import {
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

/** The answer to a message. */
export interface Answered {
  readonly message: JSONRPCResponse;
  /** Whether the protocol refused it before any handler of ours had it. */
  readonly early: boolean;
}

/**
 * One message to a server of the SDK and its answer, in this process. The SDK's own transport, which it derives from so
 * that the SDK knows the revision, would write each answer into a `Response` that has to be read again to be sent: more
 * work than all the rest of a call (docs/decisions/0030-mcp.md).
 */
export class Exchange extends PerRequestHTTPServerTransport {
  #answered: ((answered: Answered) => void) | null = null;
  #handing = false;

  constructor(classification: MessageClassification) {
    super({ classification, responseMode: 'json' });
    this.#classification = classification;
  }

  readonly #classification: MessageClassification;

  /** Connects the server for this message alone. Never settles where the server was closed before it had answered. */
  async ask(server: Server, message: JSONRPCRequest): Promise<Answered> {
    await server.connect(this);
    const answer = new Promise<Answered>((resolve) => {
      this.#answered = resolve;
    });
    this.#handing = true;
    this.onmessage?.(message, { classification: this.#classification });
    this.#handing = false;
    try {
      return await answer;
    } finally {
      await server.close();
    }
  }

  /** What is no answer is dropped: nothing is streamed. */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResponse(message)) this.#answered?.({ message, early: this.#handing });
  }
}
