import { isObject, type JsonText, readMembers } from '@heirloom/core'
import { Problem } from '../api/problem.ts'

/** What is to be sealed: the exact JSON texts of a bundle. */
export type Source = {
  readonly name: string
  readonly data: string
  /** As the file has it; absent when the file is no whole bundle. */
  readonly metadata?: string
  /** How the file becomes a memory, in words. */
  readonly how: string
}

/**
 * Returns what a file becomes when it is sealed.
 *
 * @throws {Problem} for an empty file, or one that is no text
 */
export function sourceOf(name: string, bytes: Uint8Array): Source {
  const text = textOf(bytes)
  if (text.trim() === '') {
    throw new Problem('There is nothing in it.', 'Choose a file with something in it.')
  }
  const members = objectIn(bytes)
  if (members === undefined) return wrapped(name, text)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data && metadata && members.size === 2 && isBundle(data, metadata)) {
    const how = 'It is a whole bundle: its data and metadata are sealed as they stand.'
    return { name, data: textOf(data), metadata: textOf(metadata), how }
  }
  return { name, data: text, how: 'It is a JSON object: it is sealed as it stands.' }
}

/** A file that is no JSON object is put into one, beside its name. */
function wrapped(name: string, text: string): Source {
  const isJson = canParse(text)
  const member = isJson ? `"json":${text}` : `"text":${JSON.stringify(text)}`
  const what = isJson ? 'JSON, but no object' : 'text'
  return {
    name,
    data: `{"file":${JSON.stringify(name)},${member}}`,
    how: `It is ${what}: it is sealed inside an object that names the file.`,
  }
}

function canParse(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function objectIn(bytes: Uint8Array) {
  try {
    return readMembers(bytes)
  } catch {
    return undefined
  }
}

function isBundle(data: JsonText, metadata: JsonText): boolean {
  if (!isObject(data) || !isObject(metadata)) return false
  const { category } = JSON.parse(textOf(metadata)) as { readonly category?: unknown }
  return typeof category === 'string' && category !== ''
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem(
      'The file is no text in UTF-8.',
      'Choose a JSON, Markdown or text file; put anything else into one first.',
      { code: 'file/not-text', cause },
    )
  }
}
