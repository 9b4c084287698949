import { useEffect, useState } from 'preact/hooks'
import type { Act } from '../acts/act.ts'
import type { Cost } from '../acts/act-stage.ts'
import { estimateCost } from '../acts/estimate-cost.ts'
import { usableWallet } from '../acts/use-act.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { deployment } from '../deployment.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'

/** The cost of a mint, or why it would fail. */
export type MintEstimate = { readonly cost?: Cost; readonly problem?: Problem }

type Content = {
  /** Empty without a parent. */
  readonly parent: string
  readonly hasCard: boolean
}

/** The pause in typing before an estimate, in milliseconds. */
const debounce = 300

/**
 * Estimates the cost of a mint before anything is sealed; `undefined` until it is known. An estimate
 * stays until the next one comes, so that nothing moves while someone types.
 */
export function useMintEstimate(isShown: boolean, content: Content): MintEstimate | undefined {
  const [estimate, setEstimate] = useState<MintEstimate>()
  const wallet = usableWallet()
  const { parent, hasCard } = content
  useEffect(() => setEstimate(undefined), [isShown, wallet])
  useEffect(() => {
    if (!isShown || wallet === undefined) return
    let isCurrent = true
    const show = (of: MintEstimate) => isCurrent && setEstimate(of)
    const due = setTimeout(() => {
      estimateCost(mintLike(wallet, { parent, hasCard }), wallet).then(
        (cost) => show({ cost }),
        (error: unknown) => show({ problem: toProblem(error) }),
      )
    }, debounce)
    return () => {
      isCurrent = false
      clearTimeout(due)
    }
  }, [isShown, wallet, parent, hasCard])
  return estimate
}

/** A hash in the place of those that are not known before the memory is sealed. */
const anyHash = `0x${'ab'.repeat(32)}` as const

/** Returns a mint that costs as much as that of a memory. */
function mintLike({ account }: ConnectedWallet, { parent, hasCard }: Content): Act {
  const { chainId = 0, registry = '0x' } = deployment.value ?? {}
  return {
    kind: 'mint',
    seal: {
      contentHash: anyHash,
      digest: anyHash,
      ...(hasCard && { card: anyHash }),
      parent: parent === '' ? '0' : parent,
      creator: account,
      chainId,
      registry,
      expiresAt: Number.MAX_SAFE_INTEGER,
      name: '',
    },
  }
}
