import { useEffect, useState } from 'preact/hooks'
import { deployment } from './deployment.ts'
import { readNow } from './get-json.ts'
import { useRead, useResource } from './use-resource.ts'

/** A typed ENS name, as far as the server has looked it up. */
export type TypedName = {
  /** The typed name; empty where the text is none, or the chain has no ENS. */
  readonly name: string
  readonly account?: { readonly name: string; readonly account: string }
  /** Says why there is no account: it is being looked up, there is none, or the look-up failed. */
  readonly note: string
  readonly isPending: boolean
}

/** Looks up the account that a typed text leads to as a name of ENS, once the typing pauses. */
export function useEnsAccount(typed: string): TypedName {
  const name = deployment.value?.hasEns === true ? nameIn(typed) : ''
  const settled = useSettled(name, pause)
  const { value, problem } = useRead('ensAccount', settled === '' ? undefined : { name: settled })
  const isOld = settled !== name
  if (isOld || (value ?? problem) === undefined) return pending(name)
  if (value === undefined) return { name, note: problem?.message ?? '', isPending: false }
  const note = `${value.name} leads to no account.`
  const found = value.account === null ? {} : { account: { ...value, account: value.account } }
  return { name, note, isPending: false, ...found }
}

const pending = (name: string): TypedName => ({
  name,
  note: name === '' ? '' : `Looking up ${name}…`,
  isPending: name !== '',
})

/** Returns a text that may be a name of ENS, and nothing for another. */
function nameIn(typed: string): string {
  const text = typed.trim()
  return /^0x/i.test(text) || !/[^.]\.[^.]/.test(text) ? '' : text
}

/** The time without a keystroke after which a name is looked up, in milliseconds. */
const pause = 300

/** The version of a private name that a text names, such as `ada@2026-10-01`. */
export type TypedVersion = {
  /** The page of its token, and its words; absent where there is none. */
  readonly found?: { readonly path: string; readonly name: string }
  /** Says why there is none. */
  readonly note?: string
}

/** Looks up the version of a private name that a typed text names, once the typing pauses. */
export function useNamedVersion(typed: string): TypedVersion {
  const text = /^[^@\s]+@\d\S*$/.test(typed.trim()) ? typed.trim() : ''
  const settled = useSettled(text, pause)
  const { value, problem } = useResource(settled, (signal) => readVersion(settled, signal))
  return settled === text ? (value ?? { note: problem?.message ?? '' }) : {}
}

async function readVersion(text: string, signal: AbortSignal): Promise<TypedVersion> {
  const { findVersion, parseVersion, versionText } = await import(
    '../../../src/api/named-version.ts'
  )
  const { name, version } = parseVersion(text) ?? {}
  if (name === undefined || version === undefined) return {}
  const read = async (page: { readonly after: string | undefined; readonly limit: number }) => {
    const { keyHeaders } = await import('../create/access-key.ts')
    return readNow('versions', { name, ...page }, { headers: keyHeaders(), signal })
  }
  const found = await findVersion(read, version)
  if (found === undefined) {
    return { note: `The name ${name} has no version ${versionText(version)}.` }
  }
  const { tokenId, version: number } = found
  return {
    found: { path: `/token/${tokenId}`, name: `${name}, version ${number}, No. ${tokenId}` },
  }
}

/** Returns a text once it was the same for a moment. */
export function useSettled(text: string, pause: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
