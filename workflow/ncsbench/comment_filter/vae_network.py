"""The network of the NLQF paper: a GRU makes a latent vector of a text, another spells the text.

Source: ``model.py`` of v587su/VAE_public at 86ea4ba. Sizes in brackets are the released ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from ncsbench.comment_filter.vae_options import VaeOptions
from ncsbench.comment_filter.vae_vocabulary import PAD, SOS, UNK


class QueryVae(nn.Module):
    """A variational autoencoder of texts, with first values that are drawn.

    Args:
        tokens: ids of the vocabulary.
        options: sizes, and which encoder.
    """

    def __init__(self, tokens: int, options: VaeOptions) -> None:
        super().__init__()
        size, latent = options.state_size, options.latent_size
        self.reads = options.encoder == "fixed"
        self.start = UNK if options.start == "unknown" else SOS
        self.read_words = nn.Embedding(tokens, size)
        self.ahead, self.back = nn.GRUCell(size, size), nn.GRUCell(size, size)
        self.to_latent = nn.Linear(size, 2 * latent)
        self.written_words = nn.Embedding(tokens, latent)
        self.writer = nn.GRUCell(latent, latent)
        self.project = nn.Sequential(
            nn.Linear(latent, size), nn.Tanh(), nn.Linear(size, latent), nn.Linear(latent, tokens)
        )

    def encode(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and logarithm of the variance of latent vectors, both of shape (n, latent [128]).

        Args:
            ids: of texts, padded with ``PAD``; int64, shape (n, l).
            lengths: without the padding, shape (n,).
        """
        states = self._read_text(ids, lengths) if self.reads else self._read_padding(len(ids))
        mean, log_variance = self.to_latent(states).chunk(2, dim=1)
        return mean, log_variance

    def _read_text(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """The sum of the last states of both directions, shape (n, state [256])."""
        words = self.read_words(ids)
        ahead = back = words.new_zeros(len(ids), words.shape[2])
        longest = int(lengths.max())
        for place in range(longest):
            inside = (place < lengths)[:, None]
            ahead = torch.where(inside, self.ahead(words[:, place], ahead), ahead)
        for place in reversed(range(longest)):
            inside = (place < lengths)[:, None]
            back = torch.where(inside, self.back(words[:, place], back), back)
        states: Tensor = ahead + back
        return states

    def _read_padding(self, count: int) -> Tensor:
        """What the released encoder reads of a batch, shape (n, state [256]); no text (DEV-170).

        Its ``nn.GRU`` takes the first axis for time, but is given texts along it; of its output the
        last position along the second axis is taken, in which every text has its padding. So it
        reads as many times the padding as there are texts, and the state of each is that of its
        place in the batch.
        """
        padding = self.read_words.weight[PAD][None]
        ahead, back = [torch.zeros_like(padding)], [torch.zeros_like(padding)]
        for _ in range(count):
            ahead.append(self.ahead(padding, ahead[-1]))
            back.append(self.back(padding, back[-1]))
        return torch.cat(ahead[1:]) + torch.cat(back[:0:-1])

    def unroll(self, latent: Tensor, ids: Tensor, forced: Sequence[bool]) -> Tensor:
        """States of the decoder before it says each word, shape (n, l, latent [128]).

        ``project`` makes the logarithms, up to a constant, of probabilities of words of them.

        Args:
            latent: the first states, shape (n, latent).
            ids: the texts, shape (n, l).
            forced: at each position, whether the next state sees the true word there, else the one
                that is thought most probable; length l.
        """
        state, states = latent, []
        words = torch.full_like(ids[:, 0], self.start)
        for place in range(ids.shape[1]):
            state = self.writer(self.written_words(words), state)
            states.append(state)
            if forced[place]:
                words = ids[:, place]
            else:
                with torch.no_grad():
                    words = self.project(state).argmax(dim=1)
        return torch.stack(states, dim=1)
