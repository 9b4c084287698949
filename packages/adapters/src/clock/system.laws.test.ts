import { clockLaws } from '@heirloom/testkit'
import { describeLaws } from '@heirloom/testkit/vitest'
import { systemClock } from './system.ts'

describeLaws('system clock', clockLaws, { open: async () => systemClock() })
