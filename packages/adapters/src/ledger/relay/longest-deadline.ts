/**
 * The longest time until the deadline of a relayed call, in seconds: acting in another way does not
 * void what was signed.
 */
export const longestDeadline = 3600
