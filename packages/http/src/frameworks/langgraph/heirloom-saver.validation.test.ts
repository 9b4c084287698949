import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { frameworkServer } from '../../../test/framework-server.ts'
import { HeirloomSaver } from './heirloom-saver.ts'

// The official tests take the functions of their runner from the global object.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it })

const server = frameworkServer()
let savers = 0
const initializer = {
  checkpointerName: 'HeirloomSaver',
  createCheckpointer: () => {
    savers += 1
    return new HeirloomSaver({ client: server.client(), name: `saver-${savers}` })
  },
}
validate(initializer)
deltaChannelHistoryTests(initializer)
