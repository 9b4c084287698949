import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Anvil, startAnvil, testClient } from '../chain/anvil.ts'
import { type LaneStage, laneStage } from './lane-fixture.ts'

/** A stage for each test of a file, on an anvil that mines at once until it is told otherwise. */
export type LaneScene = {
  readonly anvil: Anvil
  readonly chain: ReturnType<typeof testClient>
  readonly stage: LaneStage
  /** How often the lane told of something in this test. */
  readonly told: (kind: LaneStage['events'][number]['kind']) => number
}

/** Opens the anvil and the stages for the tests of a file. */
export function laneScene(): LaneScene {
  let anvil: Anvil
  let chain: LaneScene['chain']
  let stage: LaneStage
  beforeAll(async () => {
    anvil = await startAnvil()
    chain = testClient(anvil)
  })
  afterAll(() => anvil.stop())
  beforeEach(async () => {
    await chain.setAutomine(true)
    stage = await laneStage(anvil)
  })
  afterEach(() => stage.close())
  return {
    get anvil() {
      return anvil
    },
    get chain() {
      return chain
    },
    get stage() {
      return stage
    },
    told: (kind) => stage.events.filter((event) => event.kind === kind).length,
  }
}
