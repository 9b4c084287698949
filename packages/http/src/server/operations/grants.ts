import { hash } from 'node:crypto'
import {
  type Catalogue,
  type Challenge,
  depositGrant,
  Failure,
  type Grant,
  type GrantId,
  type GrantParts,
  grantedLine,
  grantedRight,
  isFailure,
  type Names,
  type OwnerCheck,
  ownerCheck,
  readsByRight,
  refuseStale,
  revokeGrant,
  revokeGrants,
  tokenId,
} from '@heirloom/core'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { encodeDeposited, encodeGrant, readGrant } from '../../api/encode-records.ts'
import { pageInput } from '../../api/schemas/catalogue-queries.ts'
import { depositText, grantedText, revokeAllText, revokeText } from '../../api/signed-texts.ts'
import type { ServiceFor } from '../keys/tenants.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { clientOf } from '../request/client-of.ts'
import { accountSaver, type NameOwners, proveRequest } from '../request/name-owners.ts'
import type { PartDesk } from '../request/part-desk.ts'
import { readProof, sealProofHeaders } from '../request/proof-headers.ts'
import { readAcceptance, readSnapshot } from '../request/read-snapshot.ts'
import { afterReply, type MemoryDesk, sendMemory } from '../request/send-memory.ts'
import { partHandlers } from '../routes/parts.ts'
import { answerMint } from './memory.ts'
import { printVersion } from './names.ts'
import { type Handler, type Handlers, serveOperation, serveOperations } from './serve-operation.ts'

/** Calls an act again and again until the result is called. */
type Repeat = (act: () => void) => () => void

/** Calls an act every ten minutes. */
const everyTenMinutes: Repeat = (act) => {
  const timer = setInterval(act, 600_000).unref()
  return () => clearInterval(timer)
}

/** The parts that hold grants; without them there is no operation on one. */
export type Granting = Omit<GrantParts, 'names'> & {
  /** Says when the right counts anew within one answer: every ten minutes when absent. */
  readonly repeat?: Repeat | undefined
}

export declare namespace grantsPlugin {
  type Parts = Granting &
    MemoryDesk &
    Omit<PartDesk, 'gate'> &
    Pick<Parameters<typeof proveRequest>[0], 'proveCreator' | 'deployment'> & {
      readonly gate: Pick<AcceptedProofs, 'originOf' | 'challengesOf'>
      readonly names: Pick<Names, 'versionOf' | 'versions'>
      readonly serviceFor: ServiceFor<'save'>
      readonly owners: Pick<NameOwners, 'identityOf'>
      /** The largest body of a memory, in bytes. */
      readonly bodyLimit: number
      readonly catalogue?: Pick<Catalogue, 'token'> | undefined
    }
}

/** Registers the operations on grants, the reads by one and the saves, whose answers no cache keeps. */
export const grantsPlugin =
  (parts: grantsPlugin.Parts): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onSend', async (_, reply) => {
      reply.header('cache-control', 'no-store')
    })
    const options = { config: { isBodySigned: true } }
    const changes = { depositGrant: options, revokeGrant: options, revokeGrants: options }
    serveOperations(app, grantHandlers(parts), changes)
    serveOperations(app, receivedHandlers(parts))
    const granted = { ...parts, isOwners: ownerCheck(parts) }
    serveGrantedReads(app, granted)
    const { bodyLimit } = parts
    serveOperation(app, 'grantedSave', saveHandler(granted), { bodyLimit, ...options })
  }

type Owned = 'depositGrant' | 'grants' | 'revokeGrant' | 'revokeGrants'

/** Returns the handlers of what an owner does with its grants. */
const grantHandlers = (parts: grantsPlugin.Parts): Handlers<Owned> => ({
  depositGrant: async (request) => {
    const { grant: given, signature, label = '', proof } = request.body
    const grant = readGrant(given)
    const origin = parts.gate.originOf(request)
    if (origin === undefined) throw new Failure('seal/not-offered', { setting: 'PUBLIC_URL' })
    // A keeper has an id, and no origin that a text could be signed for.
    if (!grant.holders.includes(proof.origin) || proof.origin.startsWith('keeper:')) {
      throw new Failure('grant/malformed', { problem: 'does not name the server of its proof' })
    }
    const { timestamp } = proof
    const claim = { grant: parts.idOf(grant), owner: grant.owner, label, timestamp }
    const place = { origin: proof.origin, chainId: parts.deployment.chainId }
    const message = depositText(place, claim)
    const client = clientOf(request)
    const brought = { ...proof, message, client }
    const input = { grant, signature, label, origin, proof: brought }
    const { id, others } = await depositGrant(parts, input)
    // The other holders have the body as well, and may bring it here before its owner does.
    const known = proof.origin === origin ? others : []
    const shown = known.map(({ id, grant: { rights, expires } }) => ({ id, rights, expires }))
    return { id, others: shown }
  },
  grants: async (request) => {
    const owner = await proveRequest(parts, request)
    const page = { ...pageInput(request.query), now: parts.clock.now() }
    const { items, next } = await parts.grants.list(owner, page)
    return { items: items.map(encodeDeposited), next: next ?? null }
  },
  revokeGrant: async (request) => {
    const { owner: by, signature, grant } = request.body
    const { grant: id } = request.params
    const owner = readAddress(by)
    const message = revokeText(parts.deployment, { owner, grant: id })
    const text = grant && readGrant(grant)
    const client = clientOf(request)
    await revokeGrant(parts, { id, owner, grant: text, message, signature, client })
    return null
  },
  revokeGrants: async (request) => {
    const { owner: by, signature, timestamp } = request.body
    const owner = readAddress(by)
    const message = revokeAllText(parts.deployment, { owner, timestamp })
    const client = clientOf(request)
    await revokeGrants(parts, { owner, timestamp, message, signature, client })
    return null
  },
})

/** Returns the handlers of what a reader sees of the grants to it. */
const receivedHandlers = (
  parts: grantsPlugin.Parts,
): Handlers<'receivedGrants' | 'acceptGrants' | 'ignoreGrants'> => ({
  receivedGrants: async (request) => {
    const reader = await proveRequest(parts, request)
    const page = { ...pageInput(request.query), now: parts.clock.now() }
    const { items, next } = await parts.grants.received(reader, page)
    const received = items.map(({ id, grant }) => ({ id, grant: encodeGrant(grant) }))
    return { items: received, next: next ?? null }
  },
  acceptGrants: async (request) => {
    const owner = readAddress(request.params.address)
    const reader = await proveRequest(parts, request)
    if (await parts.grants.accept({ reader, owner }, parts.clock.now())) return null
    throw new Failure('grant/not-found', { owner, reader })
  },
  ignoreGrants: async (request) => {
    const owner = readAddress(request.params.address)
    await parts.grants.ignore({ reader: await proveRequest(parts, request), owner })
    return null
  },
})

/** Registers the reads by a grant, which are those of a memory by another right. */
function serveGrantedReads(app: FastifyInstance, granted: GrantedParts): void {
  const deskOf = (request: FastifyRequest) => grantedDesk(granted, request)
  const { outline, part, searchIn } = partHandlers(deskOf)
  /** Ends an answer while it is sent, where its reader loses the right or nothing confirms it. */
  const hold = (request: OfToken, reply: FastifyReply) => {
    const { right } = deskOf(request)
    const { account } = readProof(request.headers)
    const of = { tokenId: tokenId(request.params.tokenId), account }
    holdRight(reply, () => right(of), granted.repeat)
  }
  serveOperations(app, {
    grantedVersions: async (request) => {
      const { grant, line } = await lineOf(granted, request)
      const { items, next } = await granted.names.versions(line, pageInput(request.query))
      const versions = items.map((it) => printVersion(granted.catalogue, it))
      const { owner, name } = grant
      return { owner, name, items: await Promise.all(versions), next: next ?? null }
    },
    grantedDownload: async (request, reply) => {
      hold(request, reply)
      const desk = deskOf(request)
      const download: MemoryDesk['download'] = async (input) => {
        const opened = await desk.download(input)
        const found = await granted.grants.find(request.params.grant)
        if (found !== undefined) reply.headers(termHeaders(found.grant))
        return opened
      }
      const of = tokenId(request.params.tokenId)
      return sendMemory({ ...desk, download }, { request, reply }, of)
    },
    grantedOutline: (request, reply) => outline(request, reply),
    grantedPart: async (request, reply) => {
      hold(request, reply)
      return part(request, reply)
    },
    grantedSearchIn: (request, reply) => searchIn(request, reply),
  })
}

/** Returns the headers that describe a grant to its reader. A private name has only ASCII characters. */
const termHeaders = ({ expires, name, rights }: Grant) => ({
  'x-grant-expires': expires,
  ...(name !== '' && { 'x-grant-name': name, 'x-grant-rights': rights }),
})

type OfToken = FastifyRequest & { readonly params: { readonly tokenId: string } }

type GrantedParts = grantsPlugin.Parts & { readonly isOwners: OwnerCheck }

/**
 * Returns the handler of a save by a grant: for the owner of its name, as its reader, who needs the right
 * until the mint is settled. Its idempotency keys are none of the owner's.
 */
const saveHandler =
  (parts: GrantedParts): Handler<'grantedSave'> =>
  async (request) => {
    const { body, caller, idempotency } = request
    const { grant, line, requireRight } = await lineOf(parts, request, true)
    const { owner: recipient, reader } = grant
    const { grant: id } = request.params
    const identity = parts.owners.identityOf(accountSaver(reader))
    const acceptsLine = readAcceptance({ ...body, name: line.name })
    const saved = parts.serviceFor(caller).save({
      ...readSnapshot(request),
      ...line,
      recipient,
      after: body.after === undefined ? undefined : tokenId(body.after),
      savedBy: reader,
      grant: id,
      saving: { identity, acceptsLine },
      idempotency: idempotency && {
        ...idempotency,
        key: hash('sha256', `${id}\n${idempotency.key}`),
      },
      budget: caller,
      requireRight,
    })
    return answerMint(request, saved)
  }

/**
 * Returns the name that the account of a request may read, or save to, and what requires that right
 * again. The contract of the account is called last.
 */
async function lineOf(
  parts: GrantedParts,
  request: FastifyRequest & { readonly params: { readonly grant: GrantId } },
  isToSave = false,
) {
  const proof = readProof(request.headers, sealProofHeaders)
  const { account } = proof
  refuseStale(proof, parts.clock.now())
  const of = { id: request.params.grant, origin: parts.gate.originOf(request), account, isToSave }
  const requireRight = () => grantedLine(parts, of)
  const granted = await requireRight()
  await proveRequest(parts, request).catch((error: unknown) => {
    throw isFailure(error, 'proof/not-signed') ? new Failure('access/denied', { account }) : error
  })
  return { ...granted, requireRight }
}

/** Returns the parts that read for one who has the grant of a request, and that right. */
function grantedDesk(parts: GrantedParts, request: FastifyRequest) {
  const { grant } = request.params as { readonly grant: GrantId }
  const origin = parts.gate.originOf(request)
  const { chainId, registry } = parts.deployment
  const challenge: Challenge = (tokenId, { account: address, timestamp }) =>
    grantedText(
      { origin: origin ?? '', chainId, registry },
      { tokenId: `${tokenId}`, address, timestamp, grant },
    )
  const right = grantedRight(parts, { id: grant, origin })
  const challengesOf = () => (origin === undefined ? [] : [challenge])
  return { ...parts, ...readsByRight(parts, right), gate: { challengesOf }, right }
}

/** Ends a reply whose reader loses the right while it is sent, or whose right nothing confirmed since the time before. */
function holdRight(
  reply: FastifyReply,
  requireRight: () => Promise<unknown>,
  repeat = everyTenMinutes,
): void {
  let isConfirmed = true
  const check = () => {
    if (!isConfirmed) return void reply.raw.destroy()
    isConfirmed = false
    const confirm = () => {
      isConfirmed = true
    }
    requireRight().then(confirm, (error: unknown) => {
      if (isFailure(error, 'access/denied')) reply.raw.destroy()
    })
  }
  afterReply(reply, repeat(check))
}
