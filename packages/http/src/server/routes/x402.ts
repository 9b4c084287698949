import type { SettledOrder } from '@heirloom/adapters/internal/relay'
import {
  type Account,
  dollars,
  Failure,
  type FailureCode,
  isFailure,
  type OrderAct,
  orderActs,
  sameAccount,
  type TokenId,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { readAddress } from '../../api/address.ts'
import { operations } from '../../api/operations/operations.ts'
import { pathOf } from '../../api/operations/paths.ts'
import { problemOf } from '../../api/problem.ts'
import { statusOf } from '../../api/status-of.ts'
import type { Deployment } from '../operations/deployment.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { sendProblem } from '../plugins/failure-reply.ts'
import { refuseForeignOrigin } from '../plugins/require-own-host.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { clientOf } from '../request/client-of.ts'
import { proofHeaders, readProof } from '../request/proof-headers.ts'
import { type MemoryDesk, type Signed, sendMemory } from '../request/send-memory.ts'
import {
  encodeFailed,
  encodeRequired,
  encodeSettled,
  paymentHeaders,
  type Required,
} from '../x402/encode-x402.ts'
import {
  missingIn,
  type PaidAct,
  type PaidActQuery,
  readIncomplete,
  readPaidAct,
  recipientIn,
} from '../x402/paid-act.ts'
import type { PaidActAnswer, PaidActs } from '../x402/paid-acts.ts'
import { type Payment, readPayment } from '../x402/payment.ts'
import { challengeAt, readSignIn, type SignInPlace, signInHeader } from '../x402/sign-in.ts'

type Parts = MemoryDesk & {
  readonly gate: AcceptedProofs
  readonly paidActs: PaidActs
  readonly deployment: Pick<Deployment, 'chainId' | 'registry'>
}

/** A request for a paid act, as it was sent. */
type Exchange = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly act: OrderAct
  readonly tokenId: TokenId
  readonly query: PaidActQuery
  readonly payment: Payment | undefined
}

/** `GET /api/x402/{buy|rent|fork|royalty}/:tokenId` */
export const x402Routes =
  (parts: Parts): FastifyPluginAsync =>
  async (app) => {
    for (const act of orderActs) {
      const pay: Handler<`${OrderAct}ByX402`> = async (request, reply) => {
        // The method is safe for browsers, and the act is not.
        refuseForeignOrigin(request)
        const id = tokenId(request.params.tokenId)
        const query = request.query as PaidActQuery
        const payment = readPaymentOf(request, missingIn(act, query).length > 0)
        return answer(parts, { request, reply, act, tokenId: id, query, payment })
      }
      serveOperation(app, `${act}ByX402`, pay, { exposeHeadRoute: false })
    }
  }

async function answer(parts: Parts, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, act, tokenId, payment } = exchange
  reply.header('cache-control', 'no-store')
  const { signed, problem } = await readSigned(parts, exchange)
  const query = withRecipient(exchange, signed?.proof.account)
  const missing = missingIn(act, query)
  if (missing.length > 0) return quote(parts, exchange, { query, missing, signed, problem })
  const paidAct = readPaidAct(act, tokenId, query)
  const client = { name: clientOf(request), key: request.caller }
  const answered = await parts.paidActs.answer(paidAct, { client, payment })
  if (answered.kind === 'open') return require(parts, exchange, { answered, problem })
  const { settled, order } = answered
  if (settled !== undefined && order !== undefined && isPaidBy(payment, settled)) {
    const paid = { dollar: parts.paidActs.dollar, amount: order.price }
    reply.header(paymentHeaders.response, encodeSettled(settled, paid))
  }
  if (signed !== undefined) return sendMemory(parts, exchange, tokenId, signed)
  return reply.send(printPaidAct(paidAct, answered))
}

/** Returns whether the payer of a request paid for the act; a transfer of somebody else's was not used. */
const isPaidBy = (payment: Payment | undefined, { payer }: Pick<SettledOrder, 'payer'>): boolean =>
  payment === undefined || payer === undefined || sameAccount(payer, payment.authorization.payer)

/** Reads the payment of a request; what pays for no order is none where the request has no order. */
function readPaymentOf({ headers }: FastifyRequest, isIncomplete: boolean): Payment | undefined {
  const header = headers[paymentHeaders.signature]
  if (header === undefined) return undefined
  try {
    return readPayment(`${header}`)
  } catch (error) {
    if (isIncomplete && isFailure(error)) return undefined
    throw error
  }
}

/**
 * Returns the account that gets what a request asks for. Where the URL names none it is that of the
 * order in its payment, which is paid at an address that serves this recipient alone.
 */
const recipientOf = ({ query, payment }: Exchange): Account | undefined =>
  recipientIn(query) ?? (payment && readAddress(payment.order.recipient))

/** Returns a query that names its recipient, as far as the request says it. */
function withRecipient(exchange: Exchange, signer: Account | undefined): PaidActQuery {
  const { query } = exchange
  if (recipientIn(query) !== undefined) return query
  return { ...query, recipient: recipientOf(exchange) ?? signer }
}

/** The proof of the recipient, or why a sign-in is none. */
type Reading = { readonly signed?: Signed | undefined; readonly problem?: string | undefined }

/**
 * Reads the proof of its recipient that a request has, for an act that opens the memory. A wrong proof is
 * refused before anything is paid; that of a contract is verified when the memory is opened. A sign-in is
 * sent by clients unasked, so a wrong one, or that of another account, opens nothing and refuses nothing.
 *
 * @throws the failures of a proof, `access/denied` for that of another account
 */
async function readSigned(parts: Parts, exchange: Exchange): Promise<Reading> {
  const { headers } = exchange.request
  if (!opens(exchange)) return {}
  if (Object.values(proofHeaders).some((name) => name in headers)) {
    return { signed: await readHeaders(parts, exchange) }
  }
  const header = headers[signInHeader]
  const place = placeOf(parts, exchange)
  if (header === undefined || place === undefined) return {}
  return readSignedIn(parts, exchange, { header: `${header}`, place }).catch(problemOfProof)
}

const opens = ({ act }: Exchange) => act === 'buy' || act === 'rent'

function problemOfProof(error: unknown): Reading {
  if (!isFailure(error) || !error.code.startsWith('proof/')) throw error
  return { problem: `${signInHeader}: ${error.message}` }
}

async function readHeaders({ paidActs, gate }: Parts, exchange: Exchange): Promise<Signed> {
  const { request, tokenId } = exchange
  const proof = readProof(request.headers)
  const recipient = recipientOf(exchange)
  if (recipient !== undefined && !sameAccount(proof.account, recipient)) {
    throw new Failure('access/denied', { tokenId, account: proof.account })
  }
  const signed = { proof, challenges: gate.challengesOf(request) }
  await paidActs.prove({ tokenId, ...signed })
  return signed
}

async function readSignedIn(
  { paidActs }: Parts,
  exchange: Exchange,
  { header, place }: { readonly header: string; readonly place: SignInPlace },
): Promise<Reading> {
  const signed = readSignIn(header, place)
  const { account } = signed.proof
  const recipient = recipientOf(exchange) ?? account
  if (!sameAccount(account, recipient)) {
    return { problem: `${signInHeader}: ${account} signed in, and the recipient is ${recipient}` }
  }
  await paidActs.prove({ tokenId: exchange.tokenId, ...signed })
  return { signed }
}

/** Returns the place that a wallet signs in at; `undefined` where the server does not know its origin. */
function placeOf({ gate, deployment }: Parts, { request, act, tokenId }: Exchange) {
  const origin = gate.originOf(request)
  if (origin === undefined) return undefined
  const { chainId, registry } = deployment
  return { chainId, registry, tokenId: `${tokenId}`, uri: `${origin}${pathFor(request, act)}` }
}

/** Returns the path of a request with its query, whatever host its target names. */
function pathFor({ params, url }: FastifyRequest, act: OrderAct): string {
  const query = url.indexOf('?')
  const path = pathOf(`${act}ByX402`, params as { readonly tokenId: string })
  return query === -1 ? path : path + url.slice(query)
}

type Quoting = Reading & { readonly query: PaidActQuery; readonly missing: readonly string[] }

/** Answers a request that lacks parameters: with the memory where the signer has it, else with a price. */
async function quote(
  parts: Parts,
  exchange: Exchange,
  { query, missing, signed, problem }: Quoting,
): Promise<FastifyReply> {
  const { act, tokenId, reply } = exchange
  const incomplete = readIncomplete(act, tokenId, query)
  const answered = await parts.paidActs.quote(incomplete).catch((error: unknown) => {
    if (opens(exchange) && signed === undefined) return notOffered(error)
    throw error
  })
  if (answered.kind === 'done' && signed !== undefined) {
    return sendMemory(parts, exchange, tokenId, signed)
  }
  if (answered.kind === 'done') {
    return reply.send(printPaidAct({ act, tokenId, recipient: recipientIn(query) }, answered))
  }
  const lacks = missing.join(', ')
  const { failure = new Failure('payment/incomplete', { tokenId, missing: lacks }) } = answered
  const error = problem ?? answered.failure?.message ?? `the query lacks ${lacks}`
  headRequired(parts, exchange, { priced: answered, error })
  return sendProblem(reply, problemOf(failure, statusOf['payment/incomplete']))
}

/**
 * Lets an owner or a renter sign in where nobody else is offered the memory: clients do so only for a
 * 402. Its price is nothing. Who has signed in, and has no right, is refused as with a whole query.
 */
function notOffered(error: unknown) {
  const codes: readonly FailureCode[] = ['listing/not-for-rent', 'listing/not-for-sale']
  if (!isFailure(error) || !codes.includes(error.code)) throw error
  return { kind: 'incomplete', price: 0n, failure: error } as const
}

/** Sets the header that says what to pay, on nothing that the client could choose but the URL. */
function headRequired(
  parts: Parts,
  exchange: Exchange,
  why: Pick<Required, 'priced' | 'error'>,
): void {
  const { request, reply, act, tokenId } = exchange
  const { dollar, clock } = parts.paidActs
  const place = placeOf(parts, exchange)
  const required = {
    ...why,
    act,
    dollar,
    url: place?.uri ?? pathFor(request, act),
    description: `${operations[`${act}ByX402`].summary}: token ${tokenId}`,
    signIn: opens(exchange) && place !== undefined ? challengeAt(place, clock) : undefined,
  }
  reply.header(paymentHeaders.required, encodeRequired(required))
}

type Requiring = Pick<Reading, 'problem'> & {
  readonly answered: Extract<PaidActAnswer, { kind: 'open' }>
}

function require(parts: Parts, exchange: Exchange, { answered, problem }: Requiring): FastifyReply {
  const { reply, tokenId } = exchange
  const { order, view, refusal, isTried } = answered
  const error = refusal?.reason ?? problem ?? 'PAYMENT-SIGNATURE header is required'
  headRequired(parts, exchange, { priced: { order, view }, error })
  if (refusal !== undefined && isTried) {
    reply.header(paymentHeaders.response, encodeFailed(refusal, parts.paidActs.dollar))
  }
  if (refusal !== undefined) {
    return sendProblem(reply, problemOf(new Failure('payment/refused', refusal)))
  }
  const facts = { price: dollars(order.price), asset: order.asset, payTo: view.deposit }
  return sendProblem(reply, problemOf(new Failure('payment/required', { tokenId, ...facts })))
}

type Done = Pick<PaidAct, 'act' | 'tokenId'> & { readonly recipient: Account | undefined }

function printPaidAct(
  { act, tokenId, recipient }: Done,
  { settled }: Extract<PaidActAnswer, { kind: 'done' }>,
) {
  const { txHash, tokenIds: [child] = [], expiresAt } = settled ?? {}
  const opensBy = act === 'buy' || act === 'rent' ? tokenId : child
  return {
    act,
    tokenId: `${tokenId}`,
    recipient: `${recipient}`,
    ...(txHash !== undefined && { txHash }),
    ...(child !== undefined && { childTokenId: `${child}` }),
    ...(expiresAt !== undefined && { expiresAt: `${toSeconds(expiresAt)}` }),
    ...(opensBy !== undefined && { memory: pathOf('download', { tokenId: opensBy }) }),
  }
}
