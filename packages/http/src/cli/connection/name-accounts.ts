import { type Hex, withoutQuotes } from '@heirloom/core'
import { mostProfiles } from '../../api/bounds.ts'
import type { Client } from '../../client/client.ts'
import type { Profile } from '../../client/responses.ts'
import type { Call } from '../arguments/command.ts'
import type { Line } from '../terminal/output.ts'
import { holdTexts } from './answers.ts'

type Reading = Pick<Call, 'output' | 'signal'>
type Server = Pick<Client, 'profiles' | 'scan'>

const address = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g

/** The lines of a memory's own values, which are shown as they are. */
const isSample = /^Sample,/

/** Returns lines with the names that accounts gave themselves behind their addresses, for a person. */
export async function nameAccounts(
  call: Reading,
  client: Server,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const plain = lines.map((it) => (typeof it === 'string' ? [it] : it))
  const name = await readNames(call, client, JSON.stringify(plain))
  return plain.map((parts) => {
    const isShownAsIs = isSample.test(parts.map(textOf).join(''))
    return isShownAsIs ? parts : parts.map((it) => withText(it, name(textOf(it))))
  })
}

type Part = Exclude<Line, string>[number]

const textOf = (part: Part): string => (typeof part === 'string' ? part : part.text)
const withText = (part: Part, text: string): Part =>
  typeof part === 'string' ? text : { style: part.style, text }

/** Returns what puts the names of the accounts in a text behind their addresses. */
export async function readNames(
  { output, signal }: Reading,
  client: Server,
  text: string,
): Promise<(text: string) => string> {
  const accounts = [...new Set(text.match(address) as Hex[] | null)].slice(0, mostProfiles)
  // An address says enough where the server does not answer, or its names could mislead.
  const named =
    output.json || accounts.length === 0
      ? new Map()
      : await namesOf(client, accounts, signal).catch(() => new Map())
  return (of) => of.replace(address, (it) => `${it}${named.get(it.toLowerCase()) ?? ''}`)
}

async function namesOf(client: Server, accounts: readonly Hex[], signal: AbortSignal) {
  const { items } = await client.profiles({ accounts }, { signal })
  const given = items.slice(0, mostProfiles)
  const names = given.map(({ name }) => name)
  const { value: shown } = await holdTexts({ options: {}, signal }, client, names)
  // A name that could mislead is left out, and no other with it.
  const isShown = ({ name }: Profile, nth: number) => shown[nth] === name
  return new Map(given.filter(isShown).map((it) => [it.account.toLowerCase(), nameOf(it)] as const))
}

const nameOf = ({ name, resembles }: Profile): string =>
  ` “${withoutQuotes(name)}”${resembles === undefined ? '' : ' (similar name)'}`
