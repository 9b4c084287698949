import { useEffect, useState } from 'preact/hooks'
import type { EnsAccount } from '../../../src/client/responses.ts'
import { getJson } from '../api/get-json.ts'
import { useResource } from '../api/use-resource.ts'
import { deployment } from '../deployment.ts'
import { namedAccounts } from '../wallet/named-accounts.ts'
import { describeRecipient, type Recipient } from './recipient.ts'

type Place = Omit<Parameters<typeof describeRecipient>[1], 'named'>

/**
 * Describes a typed recipient: an address, the name of a development account where the server has
 * them, or a name where the chain has ENS.
 */
export function useRecipient(typed: string, place: Place): Recipient {
  const name = deployment.value?.hasEns === true ? nameIn(typed) : ''
  const settled = useSettled(name)
  const path = settled === '' ? '' : `/api/ens/accounts/${encodeURIComponent(settled)}`
  const { value, problem } = useResource(path, (signal) => getJson<EnsAccount>(path, signal))
  if (name === '') return describeRecipient(typed, { ...place, named: namedAccounts() })
  if (settled === name && problem !== undefined) return { problem: problem.message }
  if (settled !== name || value === undefined) return { note: `Looking up ${name}…` }
  if (value.account === null) return { problem: `${value.name} leads to no account.` }
  return {
    ...describeRecipient(value.account, place),
    note: `${value.name} is ${value.account}.`,
  }
}

/** Returns a text that may be a name of ENS, and nothing for another. */
function nameIn(typed: string): string {
  const text = typed.trim()
  return /^0x/i.test(text) || !/[^.]\.[^.]/.test(text) ? '' : text
}

/** The time without a keystroke after which a name is looked up, in milliseconds. */
const pause = 300

/** Returns a text once it was the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
