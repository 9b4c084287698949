import {
  type Account,
  Failure,
  type Hex,
  type Identity,
  type MemoryService,
  ownerOfAccount,
  type Saver,
  sameAccount,
} from '@heirloom/core'
import type { FastifyRequest } from 'fastify'
import { namesText } from '../../api/signed-texts.ts'
import { isLocalOnly, type Reach } from '../../config/read-access.ts'
import { type ApiKey, allows, type KeyRing, type Scope } from '../api-keys/key-ring.ts'
import type { Deployment } from '../operations/deployment.ts'
import type { AcceptedProofs } from './accepted-proofs.ts'
import type { NameWorld } from './name-lines.ts'
import {
  claimsProof,
  isSigned,
  readProof,
  sealProofHeaders,
  signedPlaceOf,
} from './proof-headers.ts'

/** The owner of names, and the one who saves. */
type NameOwner = { readonly owner: string; readonly savedBy: string; readonly saver: Saver }

/** The one whom a request stands for, and the names that it may mean, of which the first world wins. */
export type NameCaller = Pick<NameOwner, 'savedBy' | 'saver'> & {
  readonly worlds: readonly NameWorld[]
}

/** Finds whose names a request means. */
export type NameOwners = {
  /**
   * Returns the one whom a request for names stands for: the account that it proves, else its API key,
   * or the operator.
   *
   * @throws `name/no-owner`, `api-key/out-of-scope`, `seal/not-offered`, and the failures of a proof
   */
  readonly ofRequest: (request: FastifyRequest, needed: Scope) => Promise<NameCaller>
  /**
   * Returns the one who has a memory saved: the account that signed the request, else its API key, or
   * the operator; `undefined` where that is nobody.
   *
   * @throws `seal/not-offered`, and the failures of a proof
   */
  readonly ofSave: (request: FastifyRequest) => Promise<NameCaller | undefined>
  /** Returns the one whom a proven account stands for, in a request that may have an API key, too. */
  readonly ofAccount: (
    account: Account,
    request: Pick<FastifyRequest, 'caller'>,
    needed: Scope,
  ) => NameCaller
  /** Returns all that stands for one who saves or reads. */
  readonly identityOf: (saver: Saver) => Identity
}

export declare namespace nameOwners {
  type Parts = Pick<MemoryService, 'proveCreator'> & {
    readonly keys: Pick<KeyRing, 'isRequired'>
    readonly gate: Pick<AcceptedProofs, 'originOf'>
    readonly deployment: Pick<Deployment, 'agent' | 'chainId' | 'registry'>
    readonly config: Reach
  }
}

/** Returns the owner of names that an account is. */
export const accountOwner = (account: Account): NameOwner => ({
  owner: ownerOfAccount(account),
  savedBy: account,
  saver: accountSaver(account),
})

/** Returns an account as the one who saves or reads. */
export const accountSaver = (account: Account): Saver => ({
  kind: 'account',
  name: account.toLowerCase(),
})

const operatorSaver: Saver = { kind: 'operator', name: '' }

/**
 * Returns the owners of names on a server: the keys of a tenant share theirs, every other key has its
 * own, and without keys those of a server that only this machine reaches are the operator's. Elsewhere
 * anyone could be there.
 */
export function nameOwners(parts: nameOwners.Parts): NameOwners {
  const operator: NameOwner | undefined = isPrivate(parts)
    ? { owner: 'operator', savedBy: 'operator', saver: operatorSaver }
    : undefined
  const callerOf = ({ caller }: Pick<FastifyRequest, 'caller'>) =>
    caller === undefined ? operator : keyOwner(caller)
  const ofAccount: NameOwners['ofAccount'] = (account, request, needed) => {
    const { owner, ...own } = accountOwner(account)
    const isAllowed = request.caller === undefined || allows(request.caller, needed)
    const caller = isAllowed ? callerOf(request) : undefined
    if (caller === undefined) return { ...own, worlds: [{ owner }] }
    const worlds = [{ owner }, { owner: caller.owner, mintedTo: account }]
    // What the wallet of the server has saved stays with those who let it act.
    const isAgent = sameAccount(account, parts.deployment.agent)
    return { ...own, worlds: isAgent ? worlds.toReversed() : worlds }
  }
  const ofCaller = (request: Pick<FastifyRequest, 'caller'>): NameCaller | undefined => {
    const found = callerOf(request)
    return found && { ...found, worlds: [{ owner: found.owner }] }
  }
  return {
    ofAccount,
    ofSave: async (request) =>
      isSigned(request.headers)
        ? ofAccount(await proveRequest(parts, request), request, 'write')
        : ofCaller(request),
    identityOf: (saver) => identityOf(saver, parts.deployment.agent, operator !== undefined),
    ofRequest: async (request, needed) => {
      if (claimsProof(request.headers)) {
        return ofAccount(await proveRequest(parts, request), request, needed)
      }
      const { caller } = request
      if (caller !== undefined && !allows(caller, needed)) {
        const { name, scope } = caller
        throw new Failure('api-key/out-of-scope', { name, scope, needed })
      }
      return requireCaller(ofCaller(request))
    },
  }
}

/**
 * Returns the one who saves to a name, or reads one.
 *
 * @throws `name/no-owner` where that is nobody
 */
export function requireCaller(caller: NameCaller | undefined): NameCaller {
  if (caller === undefined) throw new Failure('name/no-owner', {})
  return caller
}

/**
 * Returns all that stands for one who saves or reads. The wallet of a server creates what anybody has
 * it save, so by itself it makes nothing its own, except where the operator alone is there.
 */
function identityOf(saver: Saver, agent: Account, hasOperator: boolean): Identity {
  if (saver.kind === 'key' || saver.kind === 'tenant') return { savers: [saver], creators: [] }
  const isAgent = saver.kind === 'operator' || sameAccount(saver.name as Account, agent)
  if (!isAgent) return { savers: [saver], creators: [saver.name] }
  if (!hasOperator) return { savers: [saver], creators: [] }
  const other = saver.kind === 'operator' ? accountSaver(agent) : operatorSaver
  return { savers: [saver, other], creators: [agent] }
}

const isPrivate = ({ keys, config }: nameOwners.Parts): boolean =>
  !keys.isRequired && isLocalOnly(config)

const keyOwner = ({ name, tenant, principal = name }: ApiKey): NameOwner => ({
  owner: tenant === undefined ? `key ${principal}` : `tenant ${tenant}`,
  savedBy: name,
  saver: tenant === undefined ? { kind: 'key', name: principal } : { kind: 'tenant', name: tenant },
})

/** Verifies the proof of an account for one request, and returns the account. */
export async function proveRequest(
  parts: Pick<nameOwners.Parts, 'proveCreator' | 'gate'> & {
    readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
  },
  request: FastifyRequest,
): Promise<Account> {
  const { headers, method, url, receivedBody } = request
  const proof = readProof(headers, sealProofHeaders)
  const place = signedPlaceOf(parts, request)
  const bodyDigest: Hex | undefined = receivedBody && `0x${receivedBody.sum}`
  const signed = { ...proof, method, path: url, bodyDigest }
  const message = namesText(place, signed)
  await parts.proveCreator({ ...proof, message })
  return proof.account
}
