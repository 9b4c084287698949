import type { CopyRequest } from './copy-messages.ts'

/** Another node, which is known by its key. */
export type Peer = {
  /** The peer id, which is the hash of the public key that the connection proves. */
  readonly id: string
  /**
   * Sends requests one after the other, and returns their responses.
   *
   * @throws when the node cannot be reached, or does not answer in time
   */
  ask(requests: AsyncIterable<CopyRequest> | Iterable<CopyRequest>): Promise<readonly Uint8Array[]>
}
