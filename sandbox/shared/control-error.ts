/** Refused input of the control interface; the message says which member and why. */
export class ControlError extends Error {}
