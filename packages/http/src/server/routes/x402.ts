import {
  type Account,
  dollars,
  Failure,
  type OrderAct,
  orderActs,
  sameAccount,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../api/operations/operations.ts'
import { pathOf } from '../../api/operations/paths.ts'
import { problemOf } from '../../api/problem.ts'
import { type Handler, serveOperation } from '../operations/serve-operation.ts'
import { sendProblem } from '../plugins/failure-reply.ts'
import { refuseForeignOrigin } from '../plugins/require-own-host.ts'
import type { AcceptedProofs } from '../request/accepted-proofs.ts'
import { clientOf } from '../request/client-of.ts'
import { proofHeaders, readProof } from '../request/proof-headers.ts'
import { type MemoryDesk, sendMemory } from '../request/send-memory.ts'
import { encodeFailed, encodeRequired, encodeSettled, paymentHeaders } from '../x402/encode-x402.ts'
import { type PaidAct, type PaidActQuery, readPaidAct } from '../x402/paid-act.ts'
import type { PaidActAnswer, PaidActs } from '../x402/paid-acts.ts'
import { readPayment } from '../x402/payment.ts'

type Parts = MemoryDesk & { readonly gate: AcceptedProofs; readonly paidActs: PaidActs }
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** `GET /api/x402/{buy|rent|fork|royalty}/:tokenId` */
export const x402Routes =
  (parts: Parts): FastifyPluginAsync =>
  async (app) => {
    for (const act of orderActs) {
      const pay: Handler<`${OrderAct}ByX402`> = async (request, reply) => {
        const { params, query } = request
        const paidAct = readPaidAct(act, tokenId(params.tokenId), query as PaidActQuery)
        return answer(parts, { request, reply }, paidAct)
      }
      serveOperation(app, `${act}ByX402`, pay, { exposeHeadRoute: false })
    }
  }

async function answer(parts: Parts, exchange: Exchange, paidAct: PaidAct): Promise<FastifyReply> {
  const { request, reply } = exchange
  // The method is safe for browsers, and the act is not.
  refuseForeignOrigin(request)
  const payment = readPaymentOf(request)
  const opens = await isProven(parts, request, paidAct)
  const client = { name: clientOf(request), key: request.caller }
  const answered = await parts.paidActs.answer(paidAct, { client, payment })
  reply.header('cache-control', 'no-store')
  if (answered.kind === 'open') return require(parts, exchange, { paidAct, answered })
  const { settled, order } = answered
  if (settled !== undefined && order !== undefined) {
    const paid = { dollar: parts.paidActs.dollar, amount: order.price }
    reply.header(paymentHeaders.response, encodeSettled(settled, paid))
  }
  if (opens) return sendMemory(parts, exchange, paidAct.tokenId)
  return reply.send(printPaidAct(paidAct, answered))
}

function readPaymentOf({ headers }: FastifyRequest) {
  const header = headers[paymentHeaders.signature]
  return header === undefined ? undefined : readPayment(`${header}`)
}

/**
 * Returns whether a request has a proof of its recipient, for an act that opens the memory. A wrong
 * proof is refused before anything is paid; that of a contract is verified when the memory is opened.
 *
 * @throws the failures of a proof, `access/denied` for that of another account
 */
async function isProven(
  { paidActs, gate }: Parts,
  request: FastifyRequest,
  { act, tokenId, recipient }: PaidAct,
): Promise<boolean> {
  const isOffered = Object.values(proofHeaders).some((name) => name in request.headers)
  if (!isOffered || (act !== 'buy' && act !== 'rent')) return false
  const proof = readProof(request.headers)
  if (!sameAccount(proof.account, recipient)) throw denied(tokenId, proof.account)
  await paidActs.prove({ tokenId, proof, challenges: gate.challengesOf(request) })
  return true
}

const denied = (id: PaidAct['tokenId'], account: Account) =>
  new Failure('access/denied', { tokenId: id, account })

type Requiring = {
  readonly paidAct: PaidAct
  readonly answered: Extract<PaidActAnswer, { kind: 'open' }>
}

function require(
  { paidActs: { dollar }, gate }: Parts,
  { request, reply }: Exchange,
  { paidAct: { act, tokenId }, answered }: Requiring,
): FastifyReply {
  const { order, view, refusal, isTried } = answered
  const origin = gate.originOf(request) ?? `${request.protocol}://${request.host}`
  const url = new URL(request.url, origin).href
  const required = {
    url,
    description: `${operations[`${act}ByX402`].summary}: token ${tokenId}`,
    dollar,
  }
  reply.header(paymentHeaders.required, encodeRequired({ ...required, order, view, refusal }))
  if (refusal !== undefined && isTried) {
    reply.header(paymentHeaders.response, encodeFailed(refusal, dollar))
  }
  if (refusal !== undefined) {
    return sendProblem(reply, problemOf(new Failure('payment/refused', refusal)))
  }
  const facts = { price: dollars(order.price), asset: order.asset, payTo: view.deposit }
  return sendProblem(reply, problemOf(new Failure('payment/required', { tokenId, ...facts })))
}

function printPaidAct(
  { act, tokenId, recipient }: PaidAct,
  { settled }: Extract<PaidActAnswer, { kind: 'done' }>,
) {
  const { txHash, tokenIds: [child] = [], expiresAt } = settled ?? {}
  const opensBy = act === 'buy' || act === 'rent' ? tokenId : child
  return {
    act,
    tokenId: `${tokenId}`,
    recipient,
    ...(txHash !== undefined && { txHash }),
    ...(child !== undefined && { childTokenId: `${child}` }),
    ...(expiresAt !== undefined && { expiresAt: `${toSeconds(expiresAt)}` }),
    ...(opensBy !== undefined && { memory: pathOf('download', { tokenId: opensBy }) }),
  }
}
