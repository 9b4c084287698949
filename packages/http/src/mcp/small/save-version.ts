import type { SecretChoice } from '@heirloom/adapters/formats'
import type { Minted } from '../../client/responses.ts'
import type { CallOptions } from '../../client/transport/transport.ts'
import type { Session } from '../tools/tool.ts'

/** The options of a save. */
export type SaveOptions = {
  readonly secrets?: SecretChoice | undefined
  readonly idempotencyKey?: string | undefined
}

type Version = Pick<SaveOptions, 'idempotencyKey'> & {
  readonly document: string
  /** The private name; absent for a token without one. */
  readonly name?: string | undefined
  /** The token that the version comes after; "0" for the first one. */
  readonly after: string
}

/**
 * Saves a document: with the wallet of the session if that may pay, or else with the agent wallet. The
 * account of the session owns it, so that it can be opened again.
 */
export async function saveVersion(
  { client, wallet: open, account }: Session,
  { document, name, after, idempotencyKey }: Version,
  options: CallOptions,
): Promise<Minted> {
  const call = { ...options, idempotencyKey }
  const wallet = await open?.()
  const line = name === undefined ? {} : { name, after }
  if (wallet !== undefined) return wallet.snapshot({ document, ...line }, call)
  const memory = { document, recipient: account as `0x${string}` | undefined }
  if (name === undefined) return client.snapshot(memory, call)
  return client.memory(name, { seen: after }).save(memory, call)
}
