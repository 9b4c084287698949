import { Failure, isFailure } from '@heirloom/core'
import type { Hex } from 'viem'
import { latestBlock } from './block.ts'
import { openEvm, type RpcRequest } from './evm.ts'
import { folderFailure } from '../platform/folder-failure.ts'
import { firstGenesis, requireFunds } from './genesis.ts'
import { type Journal, openJournal } from './journal.ts'
import { jsonRpc, type RpcAnswer } from './public-rpc/json-rpc.ts'
import { openNode } from './node.ts'
import { replay } from './replay.ts'
import { signingAnew } from './skip-recovery.ts'
import type { RunsOwnCode } from './public-rpc/bounded-call.ts'
import { type StrangerLimits, strangerLimits } from './public-rpc/public-limits.ts'
import { strangers } from './public-rpc/public-rpc.ts'

/** A chain in this process whose history outlives it. */
export type EmbeddedChain = {
  readonly chainId: number
  /** Answers the standard methods, as EIP-1193 has it. */
  request(request: RpcRequest): Promise<unknown>
  /**
   * Names the newest state: equal numbers, equal answers of calls on the newest block. Absent while
   * a transaction is being carried out, and once the chain is closed.
   */
  stateVersion(): number | undefined
  /** Calls after every change of the state; returns what ends that. */
  onState(call: () => void): () => void
  /**
   * Answers a parsed JSON-RPC 2.0 body of a client outside this process, within the bounds for
   * strangers. Clients of one name share one budget.
   */
  handleRpc(body: unknown, client: string): Promise<RpcAnswer>
  /** Waits for the transactions already sent, then lets go of the folder. */
  close(): Promise<void>
}

export declare namespace embeddedChain {
  type Options = {
    readonly folder: string
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** The accounts, besides the well-known test accounts, that a new chain gives tokens to. */
    readonly funded: readonly Hex[]
    /**
     * The private key of whoever sends most transactions, 32 bytes, with which a long history opens
     * in less time: the EVM signs them anew, to the same bytes, instead of recovering who did.
     */
    readonly key?: Hex | undefined
    readonly chainId?: 31337
    /** What clients outside this process may do. */
    readonly limits?: StrangerLimits
    /** Recognises what runs only code that cannot loop, and may use as much gas as a block allows. */
    readonly runsOwnCode?: RunsOwnCode
  }
}

/** A chain that mines its history again, block by block. */
export type OpeningChain = {
  readonly chainId: number
  /** The hash of block 0. */
  readonly genesis: Hex
  /** The first transaction of the history, signed; absent where there is none yet. */
  readonly first: Hex | undefined
  /**
   * The chain, once it is where it was.
   *
   * @throws `journal/diverged`, `folder/unusable`, `ledger/unavailable` when that was given up
   */
  readonly opened: Promise<EmbeddedChain>
  /** Opens the chain no further, where it is not open yet. */
  giveUp(): void
  /** Gives up, or closes the chain. */
  close(): Promise<void>
}

/**
 * Opens the chain kept in `folder`, or starts one there.
 *
 * @throws `folder/in-use`, `folder/unusable`, `journal/diverged`
 */
export async function embeddedChain(options: embeddedChain.Options): Promise<EmbeddedChain> {
  const { opened } = await openingChain(options)
  return opened
}

/**
 * Begins to open the chain kept in `folder`, or to start one there. How long the rest takes grows
 * with the history.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function openingChain(options: embeddedChain.Options): Promise<OpeningChain> {
  const { folder, now, funded, key, chainId = 31337 } = options
  const journal = openJournal({ folder, genesis: firstGenesis({ chainId, now, funded }) })
  const lettingGo = closingOnFailure(folder, journal)
  const { evm, genesis } = await lettingGo(async () => {
    const evm = await openEvm({ ...journal.genesis, key })
    return { evm, genesis: await latestBlock(evm) }
  })
  const givenUp = new AbortController()
  const parts = { ...{ evm, journal, genesis }, signal: givenUp.signal }
  const opened = lettingGo(() => reopened(parts, options))
  // Who only closes the chain need not hear of the failure; what was mined is let go in any case.
  opened.catch(() => evm.close()).catch(() => undefined)
  const giveUp = () => {
    givenUp.abort(new Failure('ledger/unavailable', { operation: 'a start that was given up' }))
  }
  return {
    ...{ chainId: journal.genesis.chainId, genesis: genesis.hash, first: journal.entry(1)?.raw },
    ...{ opened, giveUp },
    close: async () => {
      giveUp()
      const chain = await opened.catch(() => undefined)
      await chain?.close()
    },
  }
}

async function reopened(
  parts: Omit<replay.Parts, 'signAnew'>,
  options: embeddedChain.Options,
): Promise<EmbeddedChain> {
  const { folder, now, funded, key } = options
  const { evm, journal } = parts
  const { genesis } = journal
  await replay({ ...parts, signAnew: await signingAnew({ ...genesis, key }) })
  for (const address of funded) await requireFunds({ evm, genesis }, { folder, address })
  return running({ evm, journal, now }, options)
}

/** Returns what does a part of the opening, and lets go of the journal where that fails. */
const closingOnFailure =
  (folder: string, journal: Journal) =>
  async <T>(open: () => Promise<T>): Promise<T> => {
    try {
      return await open()
    } catch (error) {
      journal.close()
      throw isFailure(error) ? error : folderFailure(folder, error)
    }
  }

function running(
  parts: openNode.Parts,
  { limits = strangerLimits, runsOwnCode = () => false }: embeddedChain.Options,
): EmbeddedChain {
  const { request, stateVersion, onState, close } = openNode(parts)
  return {
    chainId: parts.journal.genesis.chainId,
    request,
    stateVersion,
    onState,
    handleRpc: jsonRpc(strangers({ request, now: parts.now, limits, runsOwnCode })),
    close,
  }
}
