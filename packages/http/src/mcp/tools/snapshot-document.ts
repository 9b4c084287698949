import type { SecretChoice } from '@heirloom/adapters/formats'
import type { Client } from '../../client/client.ts'
import type { SnapshotInput } from '../../client/requests.ts'
import type { Minted } from '../../client/responses.ts'
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

/** Snapshots a document; the choice for secrets applies to the document and to the card. */
export async function snapshotDocument(
  { client }: { readonly client: Pick<Client, 'snapshot'> },
  { document, card, secrets, idempotencyKey, signal, ...input }: snapshotDocument.Input,
): Promise<Minted> {
  const text = await applySecretChoice(document, secrets)
  const safeCard: typeof card =
    card && JSON.parse(await applySecretChoice(JSON.stringify(card), secrets))
  return client.snapshot({ ...input, document: text, card: safeCard }, { signal, idempotencyKey })
}
