import fc, { type Arbitrary, type AsyncCommand } from 'fast-check'
import type { ServiceHarness } from '../harness.ts'
import { buyCommand } from './commands/buy.ts'
import { copyCommand } from './commands/copy.ts'
import { depositCommand } from './commands/deposit.ts'
import { dollarRentalCommand } from './commands/dollar-rental.ts'
import { dollarSaleCommand } from './commands/dollar-sale.ts'
import { downloadCommand } from './commands/download.ts'
import { eraseCommand } from './commands/erase.ts'
import { forkCommand } from './commands/fork.ts'
import { forkLineCommand } from './commands/fork-line.ts'
import {
  announceCommand,
  heartbeatCommand,
  inheritCommand,
  nameHeirCommand,
  takeOverCommand,
} from './commands/heir.ts'
import { firstListing, listCommand } from './commands/list.ts'
import { orderCommand } from './commands/order.ts'
import { listingCommand, provenanceCommand } from './commands/reads.ts'
import { renewCommand, rentCommand } from './commands/rent.ts'
import { rentedCopyCommand } from './commands/rented-copy.ts'
import { royaltyCommand } from './commands/royalty.ts'
import { saveCommand } from './commands/save.ts'
import { sealCommand } from './commands/seal.ts'
import { firstSnapshot, snapshotCommand } from './commands/snapshot.ts'
import { transferCommand } from './commands/transfer.ts'
import { waitCommand } from './commands/wait.ts'
import type { Model } from './model.ts'

/** All commands; a command that is listed twice runs twice as often. */
export const commands: Arbitrary<AsyncCommand<Model, ServiceHarness>>[] = [
  snapshotCommand,
  snapshotCommand,
  sealCommand,
  saveCommand,
  saveCommand,
  listCommand,
  listCommand,
  listCommand,
  transferCommand,
  buyCommand,
  buyCommand,
  rentCommand,
  rentCommand,
  renewCommand,
  forkCommand,
  forkCommand,
  copyCommand,
  copyCommand,
  forkLineCommand,
  royaltyCommand,
  ...Array.from({ length: 3 }, () => orderCommand),
  ...Array.from({ length: 2 }, () => depositCommand),
  nameHeirCommand,
  heartbeatCommand,
  announceCommand,
  takeOverCommand,
  inheritCommand,
  rentedCopyCommand,
  dollarRentalCommand,
  dollarSaleCommand,
  downloadCommand,
  downloadCommand,
  downloadCommand,
  eraseCommand,
  eraseCommand,
  waitCommand,
  waitCommand,
  provenanceCommand,
  listingCommand,
]

/**
 * The first commands of a sequence: mostly a snapshot and a listing, because most commands need
 * one.
 */
export const openings: Arbitrary<readonly AsyncCommand<Model, ServiceHarness>[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 15, arbitrary: fc.tuple(firstSnapshot, firstListing) },
)
