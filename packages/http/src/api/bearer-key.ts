import type { IncomingHttpHeaders } from 'node:http'

/** Returns the key that a request gives as its Bearer credentials. */
export function bearerKey({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
}
