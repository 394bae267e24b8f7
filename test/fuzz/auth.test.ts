import { describeFuzz } from './describe-fuzz.ts'
import { auth } from './targets/auth.ts'

describeFuzz(auth)
