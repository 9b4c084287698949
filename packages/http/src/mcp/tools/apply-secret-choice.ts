import type { SecretChoice } from '@heirloom/adapters/formats'

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
