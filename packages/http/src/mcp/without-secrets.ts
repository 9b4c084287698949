import { Failure } from '@heirloom/core'

/** What to do with what looks as if nobody else should have it. */
export const secretChoices = ['refuse', 'redact', 'keep'] as const
export type SecretChoice = (typeof secretChoices)[number]

/**
 * Returns a JSON text as it may leave: a model that snapshots what it remembers knows of no secrets
 * in it, and whoever buys the memory would have them.
 *
 * @throws `import/secrets-found`
 */
export async function withoutSecrets(
  text: string,
  choice: SecretChoice = 'refuse',
): Promise<string> {
  if (choice === 'keep') return text
  // Loaded by who needs it, for the lists of words are long.
  const { findSecrets, redactSecrets } = await import('@heirloom/adapters/formats/secrets')
  const left = choice === 'redact' ? redactSecrets(text).text : text
  const secrets = findSecrets(left)
  if (secrets.length === 0) return left
  const kinds = [...new Set(secrets.map(({ kind }) => kind))].slice(0, 5).join(', ')
  throw new Failure('import/secrets-found', { count: secrets.length, kinds })
}
