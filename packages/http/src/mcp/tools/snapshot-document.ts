import type { SecretChoice } from '@heirloom/adapters/formats'
import type { Minted } from '../../client/responses.ts'
import type { WriteOptions } from '../../client/transport/transport.ts'
import type { OwnSnapshotInput } from '../../wallet/wallet.ts'
import { type CallContext, progressStages } from './tool.ts'

/** The ways to treat texts that look like secrets. */
export const secretChoices = ['refuse', 'redact', 'keep'] as const satisfies readonly SecretChoice[]

/**
 * Refuses, redacts or keeps the secrets of a JSON text. A model may not notice secrets in its
 * memory, and every buyer of the memory would get them.
 *
 * @throws `import/secrets-found`
 */
export async function applySecretChoice(
  text: string,
  choice: SecretChoice = 'refuse',
): Promise<string> {
  if (choice === 'keep') return text
  // Loaded at the first use, because the word lists are long.
  const { handleSecrets } = await import('@heirloom/adapters/formats/secrets')
  return handleSecrets(text, choice).text
}

export declare namespace snapshotDocument {
  type Input = Pick<OwnSnapshotInput, 'card' | 'parentTokenId' | 'recipient' | 'name' | 'after'> & {
    /** The exact text of the memory. */
    readonly document: string
    readonly secrets?: SecretChoice
    readonly idempotencyKey?: string
    readonly context: CallContext
  }

  /** A client, which saves to no name, or a wallet. */
  type Snapshots = {
    readonly snapshot: (memory: OwnSnapshotInput, options: WriteOptions) => Promise<Minted>
  }
}

/** Snapshots a document; the choice for secrets applies to the document and to the card. */
export async function snapshotDocument(
  { client }: { readonly client: snapshotDocument.Snapshots },
  { document, card, secrets, idempotencyKey, context, ...input }: snapshotDocument.Input,
): Promise<Minted> {
  const memory = await withoutSecrets({ document, card }, secrets)
  const { signal } = context
  return client.snapshot(
    { ...input, ...memory },
    { signal, idempotencyKey, onProgress: savingProgress(context) },
  )
}

/** Returns the function that reports the progress of a save. */
export const savingProgress = (context: CallContext) =>
  progressStages(context)({ from: 0, to: 95, message: 'Saving' })

type WithCard = Pick<snapshotDocument.Input, 'document' | 'card'>

/** Applies a choice for secrets to a document and its card. */
export async function withoutSecrets(
  { document, card }: WithCard,
  choice: SecretChoice | undefined,
): Promise<WithCard> {
  return {
    document: await applySecretChoice(document, choice),
    card: card && JSON.parse(await applySecretChoice(JSON.stringify(card), choice)),
  }
}
