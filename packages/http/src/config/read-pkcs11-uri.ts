import { resolve } from 'node:path'
import type { Pkcs11Place } from '@heirloom/adapters/signer'
import { invalidVariable } from './environment.ts'

/** A key in a token, and the file of its PIN, if it has one. */
export type Pkcs11Uri = { readonly place: Pkcs11Place; readonly pinFile: string | undefined }

/**
 * Reads the URI of a key in a token (RFC 7512), such as
 * `pkcs11:token=heirloom;object=agent?module-path=/usr/lib/softhsm/libsofthsm2.so`. In the path it
 * knows `token`, `serial`, `object`, `id` and `type`, behind the `?` `module-path` and `pin-source`.
 *
 * @throws `config/invalid`, which names the variable and never its value
 */
export function readPkcs11Uri(name: string, text: string): Pkcs11Uri {
  const fail = (problem: string) => invalidVariable(name, problem)
  const [path = '', query = '', ...more] = text.slice('pkcs11:'.length).split('?')
  if (more.length > 0) throw fail('must have one ? at most')
  const key = readParts(path, ';', { known: keyParts, fail })
  const access = readParts(query, '&', { known: accessParts, fail })
  if ((key.type ?? 'private') !== 'private') throw fail('must name a private key')
  if (key.object === undefined && key.id === undefined) {
    throw fail('must name a key by its label, object=…, or by its id=…')
  }
  const module = access['module-path']
  if (module === undefined) {
    throw fail('must name the library of the token, ?module-path=/path/of/the/library.so')
  }
  const { token, serial, object } = key
  const id = key.id === undefined ? undefined : Buffer.from(key.id, 'latin1').toString('hex')
  return {
    place: { module: resolve(module), token, serial, object, id },
    pinFile: readPinFile(access['pin-source'], fail),
  }
}

type Fail = (problem: string) => Error

const keyParts = ['token', 'serial', 'object', 'id', 'type']
const accessParts = ['module-path', 'pin-source']

type Known = { readonly known: readonly string[]; readonly fail: Fail }

/** Returns the parts of a URI by their names. The id is bytes, of which each becomes a character. */
function readParts(
  text: string,
  separator: string,
  { known, fail }: Known,
): Readonly<Record<string, string>> {
  const parts = new Map<string, string>()
  for (const part of text.split(separator).filter((it) => it !== '')) {
    const [, name = '', value = ''] = /^([a-z-]+)=(.+)$/s.exec(part) ?? []
    requireKnown(name, { known, fail })
    if (parts.has(name)) throw fail(`has ${name} twice`)
    parts.set(name, decodePart(value, name === 'id' ? 'latin1' : 'utf8', fail))
  }
  return Object.fromEntries(parts)
}

function requireKnown(name: string, { known, fail }: Known): void {
  if (name === 'pin-value') {
    throw fail('must hold no PIN; set AGENT_KEY_PIN, or pin-source to the path of its file')
  }
  if (!known.includes(name)) throw fail(`may have ${known.join(', ')} there, each with a value`)
}

function decodePart(text: string, encoding: 'latin1' | 'utf8', fail: Fail): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw fail('has a % that is not followed by two digits')
  const bytes = text.replace(/%(..)/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return encoding === 'latin1' ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')
}

function readPinFile(source: string | undefined, fail: Fail): string | undefined {
  if (source === undefined) return undefined
  const path = source.replace(/^file:(\/\/(?=\/))?/, '')
  if (/^[|]|^[a-z]+:/i.test(path)) throw fail('needs the path of a file as its pin-source')
  return resolve(path)
}
