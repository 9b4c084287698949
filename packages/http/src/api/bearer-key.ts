import type { IncomingHttpHeaders } from 'node:http'

/** Returns the API key in the `Authorization: Bearer` header of a request. */
export function bearerKey({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}
