// Has shapes checked as they are. Imported before any shape is made.
import { config } from 'zod/v4/core';

// A short program checks each shape a few times: code made for it would cost more than it spares.
config({ jitless: true });
