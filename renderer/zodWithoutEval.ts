// Imported before all schemas: the page's content policy forbids the code that zod would otherwise generate.
import { z } from 'zod';

z.config({ jitless: true });
