// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @notice The least that OpenZeppelin mints: an owner and a balance, and a counter for the id. Only gas is read off it.
contract PlainOpenZeppelin is ERC721 {
    uint256 public totalSupply;

    constructor() ERC721("Plain", "PLAIN") {}

    function mint(address to) external {
        _mint(to, ++totalSupply);
    }
}
