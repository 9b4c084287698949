type Authorized = { readonly authorization?: string | undefined }

/** Returns the API key in the `Authorization: Bearer` header of a request. */
export function bearerKey({ authorization }: Authorized): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}

/** The header that makes a write happen once (draft-ietf-httpapi-idempotency-key-header-07). */
export const idempotencyHeader = 'idempotency-key'
