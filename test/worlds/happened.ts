import { createClient } from '../../packages/http/src/client/client.ts'
import type { Event } from '../../packages/http/src/client/told.ts'

/** Waits until a server's catalogue knows of an event of a token. */
export async function happened(url: string, tokenId: string, kind: Event['kind']): Promise<void> {
  const events = createClient({ url }).events({ after: 'start', tokenId, kind: [kind] })
  await events.next()
  await events.return()
}
