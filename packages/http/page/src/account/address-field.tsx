import { useId, useState } from 'preact/hooks'
import { getAddress, isAddress } from 'viem'
import { deployment } from '../api/deployment.ts'
import { useEnsAccount } from '../api/use-ens-account.ts'
import { TextField, type TextFieldProps } from '../parts/form-fields.tsx'
import { isSameAccount } from '../text/account.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { type DevelopmentAccount, developmentAccounts } from '../wallet/development-accounts.ts'
import { hasRpc } from '../wallet/rpc-provider.ts'

type AddressFieldInput = {
  readonly name: string
  /** Says what the field is for. */
  readonly usual: string
  /** Says what is wrong in other words; those about a token that is sent when absent. */
  readonly explain?: (problem: string) => string
}

/** Returns the field for a recipient, and the account that was typed; absent while it is none. */
export function useAddressField({ name, usual, explain }: AddressFieldInput) {
  const [text, setText] = useState('')
  const { registry, marketplace, forwarder } = deployment.value ?? {}
  const own = connectedWallet.value?.account
  const contracts = [registry, marketplace, forwarder]
  const { to, problem, note } = useRecipient(text, { own, contracts })
  const hint = problem === undefined ? (note ?? usual) : (explain?.(problem) ?? problem)
  const shown = { name, text, setText, hint, isWrong: problem !== undefined }
  return { to, field: <AddressField {...shown} /> }
}

/** Says what is wrong with an account that gets no token, from what is said of one that does. */
export function describeAccountProblem(problem: string): string {
  if (problem.startsWith('It is yours')) return 'This is your own account.'
  return problem.startsWith('This is a contract') ? 'This is a contract of this market.' : problem
}

type Props = Pick<TextFieldProps, 'name' | 'text' | 'setText' | 'hint' | 'isWrong'>

/** Shows the field for an address, with what it is for or what is wrong with it. */
function AddressField(field: Props): JSX.Element {
  const listId = useId()
  return (
    <TextField
      {...field}
      autocomplete="off"
      spellcheck={false}
      list={listId}
      placeholder={deployment.value?.hasEns ? '0x… or name.eth' : '0x…'}
    >
      <datalist id={listId}>
        {namedAccounts().map(({ name, address }) => (
          <option key={address} value={address} label={name} />
        ))}
      </datalist>
    </TextField>
  )
}

/** A typed recipient: the account, or what is wrong with it; neither while nothing is typed. */
type Recipient = {
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

/**
 * Describes a typed recipient: an address, the name of a development account where the server has
 * them, or a name where the chain has ENS.
 */
function useRecipient(typed: string, place: Omit<Place, 'named'>): Recipient {
  const { name, account, note, isPending } = useEnsAccount(typed)
  if (name === '') return describeRecipient(typed, { ...place, named: namedAccounts() })
  if (account === undefined) return isPending ? { note } : { problem: note }
  const { account: to } = account
  return { ...describeRecipient(to, place), note: `${account.name} is ${to}.` }
}

/** Returns the accounts that the page knows by name: those of the development wallet, where the server has it. */
const namedAccounts = (): readonly DevelopmentAccount[] => (hasRpc.value ? developmentAccounts : [])
