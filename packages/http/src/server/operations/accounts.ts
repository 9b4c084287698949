import type { EnsNames } from '@heirloom/adapters/internal/ens'
import type { RelayedAct } from '@heirloom/adapters/internal/relay'
import {
  type Account,
  type Catalogue,
  Failure,
  type HeirPlan,
  type Instant,
  type MarkedProfile,
  type Profiles,
  sameAccount,
  setProfile,
  toSeconds,
  type Wei,
} from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { mostEnsAccounts, mostProfiles } from '../../api/bounds.ts'
import { encodeHeir } from '../../api/encode-records.ts'
import { pageInput } from '../../api/schemas/catalogue-queries.ts'
import { profileText } from '../../api/signed-texts.ts'
import type { ApiKey } from '../api-keys/key-ring.ts'
import { inFlight } from '../bounds/in-flight.ts'
import type { Faucet } from '../faucet.ts'
import type { RelayActs } from '../relay-acts.ts'
import { clientOf } from '../request/client-of.ts'
import { readProof, sealProofHeaders, signedPlaceOf } from '../request/proof-headers.ts'
import { readSignedAct } from '../request/read-signed-act.ts'
import type { Handler, Handlers } from './serve-operation.ts'

/** Reads what an account has arranged for its tokens, and the time. @throws `ledger/unavailable` */
export type ReadHeir = (
  account: Account,
) => Promise<{ readonly plan: HeirPlan | undefined; readonly now: Instant }>

/** Returns the handler of the heir of an account. */
export const heirHandler =
  (readHeir: ReadHeir, catalogue?: Pick<Catalogue, 'heirOf'>): Handler<'heir'> =>
  async ({ params, query }) => {
    const account = readAddress(params.address)
    const { plan, now } = await readHeir(account)
    const record = encodeHeir(account, plan, now)
    const named = await catalogue?.heirOf(account, pageInput(query))
    return named ? { ...record, heirOf: [...named.items], next: named.next ?? null } : record
  }

/** Each account takes up to four requests to the node. */
const ensLimits = { max: 4 * mostEnsAccounts, maxPerClient: 2 * mostEnsAccounts, what: 'ENS names' }

/** Returns the handlers of the names of ENS. */
export function ensHandlers(names: EnsNames): Handlers<'ensNames' | 'ensAccount'> {
  const flight = inFlight(ensLimits)
  const within = async <T>(request: FastifyRequest, places: number, ask: () => Promise<T>) => {
    const leave = flight.enter(clientOf(request), places)
    return ask().finally(leave)
  }
  const nameOf = async (account: Account) => ({
    account,
    name: (await names.nameOf(account)) ?? null,
  })
  return {
    ensNames: async (request) => {
      const accounts = request.query.accounts.split(',').map(readAddress)
      return within(request, accounts.length, async () => ({
        items: await Promise.all(accounts.map(nameOf)),
      }))
    },
    ensAccount: async (request) => {
      const { name } = request.params
      const find = async () => (await names.find(name)) ?? { name, account: null }
      return within(request, 1, find)
    },
  }
}

/** The parts that describe accounts. */
export type ProfileParts = Omit<setProfile.Parts, 'catalogue' | 'profiles'> & {
  readonly profiles: Profiles
}

type ProfilesOf = ProfileParts &
  Pick<setProfile.Parts, 'catalogue'> &
  Parameters<typeof signedPlaceOf>[0]

/** Returns the handlers of profiles. */
export const profileHandlers = (parts: ProfilesOf): Handlers<'profiles' | 'setProfile'> => ({
  profiles: async ({ query: { accounts, name = '' } }) => {
    if ((accounts === undefined) === (name === '')) throw notOne()
    const found =
      accounts === undefined
        ? await parts.profiles.search(name, mostProfiles)
        : await parts.profiles.find(accounts.split(',').map(readAddress))
    return { items: found.map(encodeProfile) }
  },
  setProfile: async (request) => {
    const { account, timestamp, signature } = readProof(request.headers, sealProofHeaders)
    const of = readAddress(request.params.address)
    if (!sameAccount(of, account)) throw new Failure('proof/not-signed', { account: of })
    const { name, sentence = '', link = '' } = request.body
    const described = { account, name, sentence, link }
    const message = profileText(signedPlaceOf(parts, request), { ...described, timestamp })
    const proof = { timestamp, signature, message }
    return encodeProfile(
      await setProfile(parts, { ...described, proof, client: clientOf(request) }),
    )
  },
})

const notOne = () =>
  new Failure('request/malformed', {
    where: 'querystring',
    problem: 'must have `accounts` or `name`, and not both',
  })

const encodeProfile = ({ signedAt, ...profile }: MarkedProfile) => ({
  ...profile,
  signedAt: `${toSeconds(signedAt)}`,
})

/** Returns the handler of what a wallet signed. */
export const relayHandler =
  (relay: RelayActs): Handler<'relay'> =>
  async (request) => {
    const client = { name: clientOf(request), key: request.caller }
    return encodeRelayed(await relay(readSignedAct(request.body), client))
  }

function encodeRelayed({ txHash, act, tokenIds, expiresAt }: RelayedAct) {
  const ids = tokenIds.map(String)
  return {
    txHash,
    act,
    ...(ids.length === 1 && { tokenId: ids[0] }),
    ...(ids.length > 1 && { tokenIds: ids }),
    ...(expiresAt !== undefined && { expiresAt: toSeconds(expiresAt).toString() }),
  }
}

/** Returns the handler of the faucet. */
export const faucetHandler =
  ({ give, amount }: Faucet): Handler<'faucet'> =>
  async (request) => {
    const { txHash } = await give(readAddress(request.body.address), clientOf(request))
    return { txHash, amount: String(amount), playMoney: true }
  }

/** The balance of the agent wallet, what it has spent or may still spend today (UTC), and its limits. */
export type WalletState = {
  readonly address: Account
  readonly balance: Wei
  readonly spentToday: Wei
  readonly maxSpendPerCall: Wei | undefined
  readonly maxSpendPerDay: Wei | undefined
  /** The amount spent today under the API key of the request. */
  readonly spentByKey?: Wei | undefined
}

/** Reads the wallet state for an API key. @throws `ledger/unavailable`, `store/unavailable` */
export type ReadWallet = (caller?: ApiKey) => Promise<WalletState>

/** Returns the handler of the agent wallet. */
export const walletHandler =
  (readWallet: ReadWallet): Handler<'wallet'> =>
  async ({ caller }, reply) => {
    const state = await readWallet(caller)
    reply.header('cache-control', 'no-store')
    return {
      address: state.address,
      balance: String(state.balance),
      spentToday: String(state.spentToday),
      maxSpendPerCall: textOf(state.maxSpendPerCall),
      maxSpendPerDay: textOf(state.maxSpendPerDay),
      ...(caller && { apiKey: encodeKey(caller, state.spentByKey) }),
    }
  }

const encodeKey = ({ name, scope, perCall, perDay }: ApiKey, spent: Wei | undefined) => ({
  name,
  scope,
  spentToday: String(spent ?? 0n),
  maxSpendPerCall: textOf(perCall),
  maxSpendPerDay: textOf(perDay),
})

/** Encodes an amount that may be absent. */
export const textOf = (amount: Wei | undefined) => (amount === undefined ? null : `${amount}`)
