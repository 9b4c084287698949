import { Failure } from '@heirloom/core'
import type { SecretChoice } from './imported.ts'
import type { SecretFinding } from './secret-finding.ts'
import { findSecrets, redactSecrets } from './secrets.ts'

type Handled = { readonly document: Uint8Array; readonly secrets: readonly SecretFinding[] }

/**
 * Looks through a whole document, metadata and file names included, and does as was chosen.
 *
 * @throws `import/secrets-found`
 */
export function handleSecrets(document: Uint8Array, choice: SecretChoice): Handled {
  const text = new TextDecoder().decode(document)
  if (choice !== 'redact') {
    const secrets = findSecrets(text)
    if (choice === 'refuse' && secrets.length > 0) refuse(secrets)
    return { document, secrets }
  }
  const { text: left, secrets } = redactSecrets(text)
  const remaining = secrets.length > 0 ? findSecrets(left) : []
  if (remaining.length > 0) refuse(remaining)
  return { document: secrets.length > 0 ? new TextEncoder().encode(left) : document, secrets }
}

function refuse(secrets: readonly SecretFinding[]): never {
  const kinds = [...new Set(secrets.map(({ kind }) => kind))].slice(0, 5).join(', ')
  throw new Failure('import/secrets-found', { count: secrets.length, kinds })
}
