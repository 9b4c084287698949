import type { Card } from '@heirloom/core'
import { useMemo, useState } from 'preact/hooks'
import type { Minted } from '../../../src/client/responses.ts'
import { idempotencyKey } from '../../../src/client/transport/request-line.ts'
import { waitForToken } from '../acts/follow-act.ts'
import { openAct } from '../acts/pending-act.ts'
import { storeUnminted } from '../acts/unminted-seals.ts'
import { usableWallet } from '../acts/use-act.ts'
import { addressOf } from '../api/get-json.ts'
import { type Problem, toProblem } from '../api/problem.ts'
import { announce } from '../parts/announce.ts'
import { formatBytes } from '../token/provenance-facts.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { accessKey, explainRefusedKey } from './access-key.ts'
import { buildCard, buildRequestBody, type Draft, type Source } from './draft.ts'
import type { Making } from './maker-choice.tsx'
import { type OnProgress, sealMemory, upload } from './seal-memory.ts'
import { forgetDraft } from './use-draft.ts'

/** A memory as its form describes it, who makes it, and what follows. */
export type NewMemory = {
  readonly source: Source
  readonly draft: Draft
  readonly making: Making
  /** Receives the token that the server minted. */
  readonly setMinted: (minted: Minted) => void
  /** Clears the form when the memory is sealed for the wallet. */
  readonly startOver: () => void
}

/** The progress of a sealing: idle, waiting for a signature, or the share that is uploaded. */
type Progress = 'idle' | 'signing' | number

/** Names a memory by its public title, if it has one, and always by its file and the size of that. */
function nameMemory(card: Card | undefined, { name, size }: Source): string {
  const file = `${name}, ${formatBytes(size)}`
  return card === undefined ? file : `${card.title} (${file})`
}

/** Seals a memory, and mints it with the server's wallet or leads to the mint of the visitor's. */
export function useSealing(memory: NewMemory) {
  const [step, setStep] = useState<Progress>('idle')
  const [problem, setProblem] = useState<Problem>()
  const { source, draft, making } = memory
  const account = connectedWallet.value?.account
  // The same memory under the same key creates one token, however often it is sent.
  const key = useMemo(idempotencyKey, [source, draft, making.maker, account])
  const seal = async () => {
    setProblem(undefined)
    setStep(making.maker === 'wallet' ? 'signing' : 0)
    try {
      await (making.maker === 'wallet' ? sealForWallet : mintByServer)(memory, key, setStep)
    } catch (error) {
      setProblem(toProblem(explainRefusedKey(error)))
    }
    setStep('idle')
  }
  return { step, problem, seal }
}

const keyFor = ({ making }: NewMemory): string => (making.needsKey ? accessKey.value : '')

async function mintByServer(memory: NewMemory, key: string, onProgress: OnProgress): Promise<void> {
  const { source, draft, setMinted } = memory
  const body = buildRequestBody(source, draft, connectedWallet.value?.account)
  const request = { path: addressOf('snapshot', {}), body, key, apiKey: keyFor(memory) }
  const minted = await upload<Minted>(request, onProgress)
  await waitForToken(minted.tokenId, { contentHash: minted.contentHash })
  announce(`Sealed as No. ${minted.tokenId}.`)
  await forgetDraft()
  setMinted(minted)
}

async function sealForWallet(
  memory: NewMemory,
  key: string,
  onProgress: OnProgress,
): Promise<void> {
  const { source, draft, startOver } = memory
  const wallet = usableWallet()
  if (wallet === undefined) return
  const card = buildCard(draft)
  const parent = draft.parent.trim() || '0'
  const body = buildRequestBody(source, draft, wallet.account)
  const name = nameMemory(card, source)
  const request = { body, card, parent, name, key, apiKey: keyFor(memory) }
  const seal = await sealMemory(request, wallet, onProgress)
  storeUnminted(seal)
  announce('The memory is sealed. Its mint is next.')
  await forgetDraft()
  startOver()
  openAct.value = { kind: 'mint', seal }
}
