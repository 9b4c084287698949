import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../chain/anvil.ts'
import { type LaneFixture, openLaneFixture } from './lane-fixture.ts'

/** An anvil for the tests of a file, which mines every transaction at once, and their fixtures. */
export type LaneHarness = {
  readonly anvil: Anvil
  readonly chain: ReturnType<typeof testClient>
  /** The fixture of the current test. */
  readonly fixture: LaneFixture
  /** Returns the number of events of a kind in the current test. */
  readonly countEvents: (kind: LaneFixture['events'][number]['kind']) => number
}

/** Starts an anvil for the tests of a file, and opens a fixture for each test. */
export function laneHarness(): LaneHarness {
  let anvil: Anvil
  let chain: LaneHarness['chain']
  let fixture: LaneFixture
  beforeAll(async () => {
    anvil = await startAnvil()
    chain = testClient(anvil)
  })
  afterAll(() => anvil.stop())
  beforeEach(async () => {
    await chain.setAutomine(true)
    fixture = await openLaneFixture(anvil)
  })
  afterEach(() => fixture.close())
  return {
    get anvil() {
      return anvil
    },
    get chain() {
      return chain
    },
    get fixture() {
      return fixture
    },
    countEvents: (kind) => fixture.events.filter((event) => event.kind === kind).length,
  }
}
