import { describeFuzz } from './describe-fuzz.ts'
import { realtime } from './targets/realtime.ts'

describeFuzz(realtime)
