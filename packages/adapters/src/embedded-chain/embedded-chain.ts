import { Failure, isFailure } from '@heirloom/core'
import { type Hex, isAddressEqual, parseEther } from 'viem'
import { folderFailure } from '../platform/disk-problem.ts'
import { type PublicLimits, publicLimits } from '../platform/public-limits.ts'
import { testAccounts } from '../platform/test-accounts.ts'
import { latestBlock } from './block.ts'
import { type Evm, openEvm, type RpcRequest } from './evm.ts'
import { gasBounds } from './gas-bounds.ts'
import { type Genesis, type Journal, journalFile, openJournal } from './journal.ts'
import { mutex } from './mutex.ts'
import { openNode } from './node.ts'
import type { ForeignCodeOf } from './public-rpc/bounded-call.ts'
import { jsonRpc, type RpcResponse } from './public-rpc/json-rpc.ts'
import { publicRpc } from './public-rpc/public-rpc.ts'
import { replay } from './replay.ts'
import { requireWrite } from './sender.ts'
import { skipRecovery } from './skip-recovery.ts'

/** An EVM chain in this process with a durable history. */
export type EmbeddedChain = {
  readonly chainId: number
  /** Handles a request for a standard method (EIP-1193). */
  request(request: RpcRequest): Promise<unknown>
  /**
   * Returns the version of the newest state: while it is equal, calls on the newest block return the
   * same. Absent while a transaction is being mined, and once the chain is closed.
   */
  stateVersion(): number | undefined
  /** Registers a listener for changes of the state; returns a function that removes it. */
  onState(listener: () => void): () => void
  /** Runs a task while no transaction of a client outside this process is mined. */
  alone<T>(task: () => Promise<T>): Promise<T>
  /**
   * Handles a parsed JSON-RPC 2.0 body of a client outside this process, within the public limits.
   * Clients of one name share one budget.
   */
  handleRpc(body: unknown, client: string): Promise<RpcResponse>
  /** Waits for the transactions already sent, then closes the journal and the EVM. */
  close(): Promise<void>
}

export declare namespace embeddedChain {
  type Options = {
    readonly folder: string
    /** Milliseconds since 1970. */
    readonly now: () => number
    /** The accounts, besides the well-known test accounts, that a new chain funds at genesis. */
    readonly funded: readonly Hex[]
    /**
     * The private key of the account that sends most transactions, 32 bytes. With it a long history
     * opens faster: the EVM signs these transactions again instead of recovering their signer.
     */
    readonly key?: Hex | undefined
    readonly chainId?: 31337
    /** The limits for clients outside this process. */
    readonly limits?: PublicLimits
    /**
     * Finds the code of strangers in an execution; all other ones may use all the gas of a block. When
     * absent, any code counts as that of strangers in the requests of clients outside this process, and
     * none in those of this process.
     */
    readonly foreignCodeOf?: ForeignCodeOf
  }
}

/** A chain that is replaying its history, block by block. */
export type OpeningChain = {
  readonly chainId: number
  /** The hash of block 0. */
  readonly genesis: Hex
  /** The first signed transaction of the history; absent in a new chain. */
  readonly first: Hex | undefined
  /**
   * The chain, once its history is replayed.
   *
   * @throws `journal/diverged`, `folder/unusable`, `ledger/unavailable` when opening was given up
   */
  readonly opened: Promise<EmbeddedChain>
  /**
   * Keeps the file of the journal complete and unchanged until the result is called, so that another
   * process can copy it; the chain goes on.
   */
  hold(): () => void
  /** Requires that the file of the journal is in its place. @throws `ledger/unavailable` */
  requireFile(): void
  /** Stops opening the chain, unless it is open already. */
  giveUp(): void
  /** Stops opening the chain, or closes it when it is open. */
  close(): Promise<void>
}

/**
 * Opens the chain stored in `folder`, or creates one there.
 *
 * @throws `folder/in-use`, `folder/unusable`, `journal/diverged`
 */
export async function embeddedChain(options: embeddedChain.Options): Promise<EmbeddedChain> {
  const { opened } = await startOpening(options)
  return opened
}

/**
 * Starts to open the chain stored in `folder`, or to create one there, and returns before its
 * history is replayed; that takes time in proportion to the history.
 *
 * @throws `folder/in-use`, `folder/unusable`
 */
export async function startOpening(options: embeddedChain.Options): Promise<OpeningChain> {
  const { folder, now, funded, key, chainId = 31337 } = options
  const journal = openJournal({ folder, genesis: firstGenesis({ chainId, now, funded }) })
  const closeOnFailure = closingJournalOnFailure(folder, journal)
  const { evm, genesis, first } = await closeOnFailure(async () => {
    const first = journal.entry(1)?.raw
    const evm = await openEvm({ ...journal.genesis, key })
    return { evm, genesis: await latestBlock(evm), first }
  })
  const abort = new AbortController()
  const parts = { evm, journal, genesis, signal: abort.signal }
  const opened = closeOnFailure(() => reopen(parts, options))
  // Free the EVM when opening fails. A caller that only closes the chain does not await `opened`.
  opened.catch(() => evm.close()).catch(() => undefined)
  const giveUp = () => {
    abort.abort(new Failure('ledger/unavailable', { operation: 'a start that was given up' }))
  }
  return {
    chainId: journal.genesis.chainId,
    genesis: genesis.hash,
    first,
    opened,
    giveUp,
    hold: journal.hold,
    requireFile: () => requireWrite(journal.requireFile),
    close: async () => {
      giveUp()
      const chain = await opened.catch(() => undefined)
      await chain?.close()
    },
  }
}

async function reopen(
  parts: Omit<replay.Parts, 'skipRecovery'>,
  options: embeddedChain.Options,
): Promise<EmbeddedChain> {
  const { folder, now, funded, key } = options
  const { evm, journal } = parts
  const { genesis } = journal
  await replay({ ...parts, skipRecovery: await skipRecovery({ ...genesis, key }) })
  for (const address of funded) await requireFunds({ evm, genesis }, { folder, address })
  return openedChain({ evm, journal, now }, options)
}

/** Returns a function that performs a step of the opening, and closes the journal when it fails. */
const closingJournalOnFailure =
  (folder: string, journal: Journal) =>
  async <T>(open: () => Promise<T>): Promise<T> => {
    try {
      return await open()
    } catch (error) {
      journal.close()
      throw isFailure(error) ? error : folderFailure(folder, error, journalFile)
    }
  }

function openedChain(
  parts: openNode.Parts,
  { limits = publicLimits, foreignCodeOf }: embeddedChain.Options,
): EmbeddedChain {
  const { evm, now } = parts
  const anyCode: ForeignCodeOf = () => ({})
  const bounds = gasBounds({ evm, foreignCodeOf: foreignCodeOf ?? anyCode, gas: limits.gas })
  const isBounded = foreignCodeOf !== undefined
  const { request, stateVersion, onState, close } = openNode({
    ...parts,
    bounds: isBounded ? bounds : undefined,
  })
  const { run: alone } = mutex()
  return {
    chainId: parts.journal.genesis.chainId,
    request,
    stateVersion,
    onState,
    alone,
    handleRpc: jsonRpc(publicRpc({ request, now, limits, bounds, alone })),
    close,
  }
}

/** The balance of each funded account, in wei. */
const initialBalance = parseEther('10000')

declare namespace firstGenesis {
  type Options = {
    readonly chainId: number
    /** Milliseconds since 1970. */
    readonly now: () => number
    readonly funded: readonly Hex[]
  }
}

/** Returns the genesis of a new chain, which funds `funded` and the well-known test accounts. */
function firstGenesis({ chainId, now, funded }: firstGenesis.Options): Genesis {
  const addresses = new Map([...funded, ...testAccounts].map((it) => [it.toLowerCase(), it]))
  return {
    chainId,
    genesisTime: Math.floor(now() / 1000),
    accounts: [...addresses.values()].map((address) => ({ address, balance: initialBalance })),
  }
}

declare namespace requireFunds {
  type Options = { readonly folder: string; readonly address: Hex }
}

/**
 * Requires that `address` was funded at genesis or has received funds since.
 *
 * The genesis cannot change later, so a new wallet without funds could not pay for any write; this
 * failure at the start is clearer than one at every write.
 *
 * @throws `folder/unusable`
 */
async function requireFunds(
  { evm, genesis }: { readonly evm: Evm; readonly genesis: Genesis },
  { folder, address }: requireFunds.Options,
): Promise<void> {
  if (genesis.accounts.some((it) => isAddressEqual(it.address, address))) return
  const balance = await evm.request({ method: 'eth_getBalance', params: [address, 'latest'] })
  if (balance !== '0x0') return
  const problem = `its chain was started for another wallet than ${address}, which holds nothing on it; put back the agent.key of this folder, or the AGENT_PRIVATE_KEY or AGENT_KEY_SERVICE that it was started with`
  throw new Failure('folder/unusable', { folder, problem })
}
