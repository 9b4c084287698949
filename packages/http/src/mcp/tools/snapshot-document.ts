import type { SecretChoice } from '@heirloom/adapters/formats'
import type { SnapshotInput } from '../../client/requests.ts'
import type { Minted } from '../../client/responses.ts'
import type { Session } from './tool.ts'
import { applySecretChoice } from './apply-secret-choice.ts'

export declare namespace snapshotDocument {
  type Input = Pick<SnapshotInput, 'card' | 'parentTokenId' | 'recipient'> & {
    /** The exact text of the memory. */
    readonly document: string
    readonly secrets?: SecretChoice
    readonly idempotencyKey?: string
    readonly signal: AbortSignal
  }
}

/** Makes a memory of a text, of which neither the text nor the card tells secrets by mistake. */
export async function snapshotDocument(
  { client }: Session,
  { document, card, secrets, idempotencyKey, signal, ...input }: snapshotDocument.Input,
): Promise<Minted> {
  const text = await applySecretChoice(document, secrets)
  const shown: typeof card = card && JSON.parse(await applySecretChoice(JSON.stringify(card), secrets))
  return client.snapshot({ ...input, document: text, card: shown }, { signal, idempotencyKey })
}
