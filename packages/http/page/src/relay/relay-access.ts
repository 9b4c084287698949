import type { Act } from '../acts/act.ts'
import type { Problem } from '../api/problem.ts'
import { accessKey } from '../create/access-key.ts'
import { deployment } from '../deployment.ts'

/** The acts that the relay of the server refused to pay for. */
const refusedActs = new Set<string>()

/** Returns whether the relay of the server may carry out an act of this visitor. */
export function isRelayOpen(act: Act): boolean {
  const isOpen = deployment.value?.openActs?.includes('relay') === true || accessKey.value !== ''
  return isOpen && !refusedActs.has(JSON.stringify(act))
}

/** Remembers that the relay does not pay for an act, so that the next try is the wallet's own transaction. */
export function rememberRefusal(act: Act, { code = '' }: Pick<Problem, 'code'>): void {
  if (isRefusalOfRelay(code)) refusedActs.add(JSON.stringify(act))
}

/** Returns whether a failure is that of the relay and its limits, not of the act. */
export const isRefusalOfRelay = (code: string): boolean =>
  /^(relay|wallet|api-key)\//.test(code) || code === 'request/not-authorized'
