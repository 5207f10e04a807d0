"""The parts of `tco`: what is asked, the plan, the flows of money of each way to get GPU hours, and what they are compared by."""
