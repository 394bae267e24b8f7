// A small catalogue of faults for tests.
import type { FaultCatalogue } from '../../../../../emulator/contract/faults.ts'

export const CATALOGUE: FaultCatalogue = {
  operations: [
    {
      service: 'storage',
      operation: 'object.upload',
      title: 'Upload a file',
      route: 'POST /storage/v1/object/:bucket/*',
      codes: ['EntityTooLarge', 'Duplicate'],
      effects: ['error', 'latency', 'disk_full'],
    },
    {
      service: 'realtime',
      operation: 'change.deliver',
      title: 'Deliver a change',
      route: null,
      codes: [],
      effects: ['realtime_delay', 'realtime_duplicate'],
    },
  ],
  errors: [
    { service: 'storage', code: 'EntityTooLarge', status: 413, sentence: 'The file is too big.' },
    { service: 'storage', code: 'Duplicate', status: 409, sentence: 'The object exists.' },
    { service: 'auth', code: 'Duplicate', status: 409, sentence: 'The address is taken.' },
  ],
}
