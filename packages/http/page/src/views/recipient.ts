import { getAddress, isAddress } from 'viem'
import { isSameAccount } from '../text/account.ts'

/** A typed recipient: the account, or what is wrong with it; neither while nothing is typed. */
export type Recipient = {
  readonly to?: `0x${string}`
  readonly problem?: string
  /** The whole address that a name leads to. */
  readonly note?: string
}

/** An account that may be typed by its name. */
type Named = { readonly name: string; readonly address: `0x${string}` }

type Place = {
  /** The account that transfers. */
  readonly own: string | undefined
  /** The contracts of the server, which could never move a token on. */
  readonly contracts: readonly (string | undefined)[]
  readonly named?: readonly Named[]
}

/** Describes a typed recipient of a token. */
export function describeRecipient(typed: string, place: Place): Recipient {
  const text = typed.trim()
  if (text === '') return {}
  const { named = [] } = place
  const known = named.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (known === undefined) return describeAddress(text, place)
  const note = `${known.name} is ${known.address}.`
  return { ...describeAddress(known.address, place), note }
}

function describeAddress(text: string, { own, contracts, named = [] }: Place): Recipient {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return { problem: describeForm(named) }
  // The capital letters of an address are its checksum.
  if (!isAddress(text))
    return { problem: 'This address has a typing error: its checksum is wrong.' }
  if (BigInt(text) === 0n) return { problem: 'Nobody holds the zero address.' }
  if (isSameAccount(text, own)) return { problem: 'It is yours already.' }
  if (contracts.some((it) => isSameAccount(text, it))) {
    return { problem: 'This is a contract of this market; a token sent there is lost.' }
  }
  return { to: getAddress(text) }
}

/** Says what may be typed. */
function describeForm(named: readonly Named[]): string {
  if (named.length === 0) return 'Enter an address: 0x and 40 hexadecimal digits.'
  const names = named.map(({ name }) => name).join(', ')
  return `Enter an address, 0x and 40 hexadecimal digits, or a name: ${names}.`
}
