/** The header that makes a write happen once (draft-ietf-httpapi-idempotency-key-header-07). */
export const idempotencyHeader = 'idempotency-key'
