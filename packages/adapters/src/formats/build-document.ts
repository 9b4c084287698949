import { documentOf, isFailure } from '@heirloom/core'
import { tooDeep } from './importers/json-file.ts'
import { malformed } from './throw-malformed.ts'

/**
 * Returns the document of two texts.
 *
 * @throws `import/malformed`
 */
export function documentText(data: string, metadata: string): Uint8Array {
  const text = `{"data":${data},"metadata":${metadata}}`
  try {
    return documentOf(new TextEncoder().encode(text))
  } catch (error) {
    if (isFailure(error, 'json/too-deep')) malformed('The file', tooDeep, error)
    if (isFailure(error, 'bundle/malformed'))
      malformed('The memory', 'its metadata.category is no text', error)
    throw error
  }
}
