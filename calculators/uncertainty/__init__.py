"""How sure an answer is: low, base and high of each input, draws, quantiles, the tornado and where the winner flips."""
