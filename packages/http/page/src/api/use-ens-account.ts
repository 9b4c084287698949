import { useEffect, useState } from 'preact/hooks'
import { deployment } from './deployment.ts'
import { useRead } from './use-resource.ts'

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

/** Returns a text once it was the same for a moment. */
export function useSettled(text: string, pause: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
