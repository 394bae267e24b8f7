import { describeFuzz } from './describe-fuzz.ts'
import { postgres } from './targets/postgres.ts'

describeFuzz(postgres)
