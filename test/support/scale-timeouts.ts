// Runs before each test file: its tests and hooks may take longer on a slow machine.
import { vi } from 'vitest'
import { patiently } from './patience.ts'

vi.setConfig({ testTimeout: patiently(60_000), hookTimeout: patiently(120_000) })
