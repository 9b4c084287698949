import type { SecretChoice } from '@heirloom/adapters/formats'

/** What to do with what looks as if nobody else should have it. */
export const secretChoices = ['refuse', 'redact', 'keep'] as const satisfies readonly SecretChoice[]

/**
 * Returns a JSON text as it may leave: a model that snapshots what it remembers knows of no secrets
 * in it, and whoever buys the memory would have them.
 *
 * @throws `import/secrets-found`
 */
export async function applySecretChoice(
  text: string,
  choice: SecretChoice = 'refuse',
): Promise<string> {
  if (choice === 'keep') return text
  // Loaded by who needs it, for the lists of words are long.
  const { handleSecrets } = await import('@heirloom/adapters/formats/secrets')
  return handleSecrets(text, choice).text
}
