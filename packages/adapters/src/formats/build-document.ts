import { documentOf, isFailure } from '@heirloom/core'
import { tooDeep } from './importers/json-file.ts'
import { throwMalformed } from './throw-malformed.ts'

/**
 * Builds a document from the JSON texts of `data` and `metadata`.
 *
 * @throws `import/malformed`
 */
export function buildDocument(data: string, metadata: string): Uint8Array {
  const text = `{"data":${data},"metadata":${metadata}}`
  try {
    return documentOf(new TextEncoder().encode(text))
  } catch (error) {
    if (isFailure(error, 'json/too-deep')) throwMalformed('The file', tooDeep, error)
    if (isFailure(error, 'bundle/malformed'))
      throwMalformed('The memory', 'its metadata.category is not a text', error)
    throw error
  }
}
